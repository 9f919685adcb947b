/** Reads the best pages of a search within the budget. */
import type { Hop, JobTools } from '../../catalog/vocabulary/handlers.ts'
import { AppError } from '../../errors/app-error.ts'
import { cents } from '../../lib/money.ts'
import { highlightsOf } from '../../reader/extract/highlights.ts'
import { runInRowOrder } from '../shared/run-in-row-order.ts'
import { normaliseUrls } from '../onescrape/urls.ts'
import type { SearchRow } from './fuse.ts'
import { dataOf, toRecords, toText } from './read-reply.ts'

export type DeepRow = SearchRow & {
  readonly read: boolean
  /** The page as markdown, cut at 30 000 characters. Null if it was not read. */
  readonly content: string | null
  /** Length of the whole page. */
  readonly chars: number
  /** The sentences of the page that match the questions best. */
  readonly passages: readonly string[]
  readonly charged_cents: number
  readonly charged_micros: number
  /** `over budget`, `cancelled`, `deadline`, or the reader's error. */
  readonly error?: string
}

export type PagesRead = { readonly rows: readonly DeepRow[]; readonly calls: readonly unknown[] }

export const PAGE_PRICE = cents('2')
const MAX_CONTENT_CHARS = 30_000
const PASSAGES = 5

/** Reads up to `wanted` pages. The next best row replaces a page that cannot be read. */
export async function readPages(
  tools: JobTools,
  rows: readonly SearchRow[],
  wanted: number,
  about: string,
): Promise<PagesRead> {
  const read = new Map<string, DeepRow>()
  const calls: unknown[] = []
  const candidates = rows.filter(({ url }) => isReadable(url))
  const countRead = (): number => [...read.values()].filter(({ read: isRead }) => isRead).length
  for (let at = 0; at < candidates.length && countRead() < wanted;) {
    const wave = candidates.slice(at, at + wanted - countRead())
    at += wave.length
    const hasStarted = await runInRowOrder(
      tools.budget.remaining(),
      wave.map((row) => ({
        most: PAGE_PRICE,
        least: PAGE_PRICE,
        run: () =>
          readOne(tools, row, about, read, calls)
            .then((hop) => BigInt(hop.charged_micros))
            .finally(() =>
              tools.progress({
                rows_done: countRead(),
                rows_total: Math.min(wanted, candidates.length),
              }),
            ),
      })),
    )
    wave.forEach(
      (row, place) => hasStarted[place] !== true && read.set(row.id, unread(row, 'over budget')),
    )
    if (hasStarted.includes(false)) break
  }
  return { rows: rows.map((row) => read.get(row.id) ?? unread(row)), calls }
}

async function readOne(
  tools: JobTools,
  row: SearchRow,
  about: string,
  read: Map<string, DeepRow>,
  calls: unknown[],
): Promise<Hop> {
  const { hop, outcome } = await tools.invoke('core', 'onescrape', { urls: [row.url] })
  const data = outcome.kind === 'failed' ? (outcome.details ?? {}) : dataOf(outcome)
  const [page] = toRecords(data['rows'])
  calls.push(...toRecords(data['calls']))
  const content = toText(page?.['content'])
  read.set(
    row.id,
    content === null ? unread(row, errorOf(hop, page)) : readRow(row, content, about, hop),
  )
  return hop
}

function readRow(
  row: SearchRow,
  content: string,
  about: string,
  { charged_cents, charged_micros }: Hop,
): DeepRow {
  const passages = highlightsOf(content, about, PASSAGES).map(({ text }) => text)
  return {
    ...row,
    read: true,
    content: content.slice(0, MAX_CONTENT_CHARS),
    chars: content.length,
    passages,
    charged_cents,
    charged_micros,
  }
}

function unread(row: SearchRow, error?: string): DeepRow {
  return {
    ...row,
    read: false,
    content: null,
    chars: 0,
    passages: [],
    charged_cents: 0,
    charged_micros: 0,
    ...(error === undefined ? {} : { error }),
  }
}

function errorOf({ skipped }: Hop, page: { readonly [name: string]: unknown } | undefined): string {
  if (skipped !== undefined) return skipped.replaceAll('_', ' ')
  return toText(page?.['error']) ?? 'unreadable'
}

/** `core/onescrape` rejects social platforms and documents. */
function isReadable(url: string): boolean {
  try {
    return normaliseUrls([url]).length === 1
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}
