/** The reader `semantic/contents`: many pages in one call, without scripts. */
import type { CallTools, Hop } from '../../../catalog/vocabulary/handlers.ts'
import type { Data } from '../../../catalog/vocabulary/outcome.ts'
import { cents } from '../../../lib/money.ts'
import { asPageFields } from '../../../reader/embedded/page-fields.ts'
import { isFileType, UNKNOWN_FILE } from '../../../reader/fetch/file-type.ts'
import type { FailureReason } from '../../../reader/fetch/page-failure.ts'
import type { AddressRefusal, Flag, Judgement, PageFormat } from '../page-row.ts'
import {
  dataOf,
  refused,
  REFUSED_ADDRESS,
  toRecord,
  toText,
  WALL_STATUSES,
  type PageReading,
  type ReadOptions,
} from './page-reading.ts'

/** The price per page. The call's own price covers all pages, so rows cannot use it. */
export const BATCH_RATE = cents('0.1')

/** Reads all pages in one call. The readings have the order of `urls`. */
export async function readInBatch(
  tools: CallTools,
  urls: readonly string[],
  options: ReadOptions,
): Promise<PageReading[]> {
  const text = {
    ...(options.format === 'html' ? { includeHtmlTags: true } : {}),
    ...(options.mainContent ? {} : { verbosity: 'full' }),
  }
  const invocation = await tools.invoke('semantic', 'contents', {
    urls: [...urls],
    text: Object.keys(text).length === 0 ? true : text,
  })
  const data = dataOf(invocation)
  const results = toRecords(data['results'])
  const statuses = toRecords(data['statuses'])
  const renamed = pairRenamed(urls, results, statuses)
  return urls.map((url) => {
    const error = toRecord(findRow(url, statuses)?.['error'])
    const result = findRow(url, results) ?? renamed.get(url)
    return readingOf(invocation.hop, result, error, options)
  })
}

function readingOf(
  call: Hop,
  result: Data | undefined,
  error: Data,
  options: ReadOptions,
): PageReading {
  const refusal = refusalIn(error)
  if (refusal !== null) return refused(refusal, call, shareOf(call, false))
  const content = toText(result?.['text'])
  const page =
    content === null || result === undefined
      ? null
      : {
          content,
          format: formatOf(result, options),
          title: toText(result['title']),
          finalUrl: toText(result['url']),
          status: 200,
          fields: asPageFields(result['fields']),
          ...judgementIn(result),
        }
  return {
    call,
    hop: shareOf(call, page !== null),
    page,
    flags: flagsOf(error),
    reason: null,
    refusal: null,
    ignoresScripts: true,
    ...(isUnreachable(error) ? { isUnreachable: true } : {}),
  }
}

/**
 * The vendor may return a page under its canonical URL. Matches such results with the remaining
 * requested URLs by their order, if there are as many of both.
 */
function pairRenamed(
  urls: readonly string[],
  results: readonly Data[],
  statuses: readonly Data[],
): ReadonlyMap<string, Data | undefined> {
  const named = new Set(urls.map((url) => findRow(url, results)))
  const rest = results.filter((row) => !named.has(row))
  const without = urls.filter((url) => findRow(url, results) === undefined)
  const read = statuses
    .filter((row) => row['status'] === 'success')
    .flatMap((row) => without.filter((url) => findRow(url, [row]) !== undefined))
  return new Map(
    read.length === rest.length ? read.map((url, place) => [url, rest[place]] as const) : [],
  )
}

/** The row for a URL. Services add or remove the final slash. */
function findRow(url: string, rows: readonly Data[]): Data | undefined {
  const bare = (address: unknown) =>
    typeof address === 'string' ? address.replace(/\/$/, '') : undefined
  const names = (row: Data, form: (address: unknown) => unknown) =>
    form(row['url']) === form(url) || form(row['id']) === form(url)
  return (
    rows.find((row) => names(row, (address) => address)) ?? rows.find((row) => names(row, bare))
  )
}

function shareOf(hop: Hop, isRead: boolean): Hop {
  return {
    ...hop,
    ok: isRead,
    charged_cents: isRead ? 1 : 0,
    charged_micros: isRead ? Number(BATCH_RATE) : 0,
  }
}

/** The in-house lane names its format. The vendor returns text. */
function formatOf(result: Data, options: ReadOptions): PageFormat {
  if (options.format === 'html') return 'html'
  return result['format'] === 'markdown' ? 'markdown' : 'text'
}

/** The in-house lane judges the page's source, where a short page differs from an empty shell. It returns no walls. */
function judgementIn({ yield: pageYield }: Data): { judgement: Judgement } | undefined {
  return typeof pageYield === 'number' ? { judgement: { yield: pageYield, flags: [] } } : undefined
}

/** The in-house lane reports addresses without a readable page. */
function refusalIn({ reason, contentType, finalUrl }: Data): AddressRefusal | null {
  if (isFileType(contentType) || contentType === UNKNOWN_FILE)
    return { error: 'document', contentType }
  // A page that redirects to a private network is unreadable; its address is still valid.
  return (reason === 'blocked_address' || reason === 'bad_url') && finalUrl === undefined
    ? REFUSED_ADDRESS
    : null
}

const UNREACHABLE: ReadonlySet<unknown> = new Set<FailureReason>([
  'refused',
  'connection',
  'connect_timeout',
  'tls',
])

function isUnreachable({ reason, finalUrl }: Data): boolean {
  return UNREACHABLE.has(reason) && finalUrl === undefined
}

const SHELL_REASONS: ReadonlySet<unknown> = new Set(['empty_shell', 'needs_javascript'])

function flagsOf({ reason, httpStatusCode }: Data): Flag[] {
  if (SHELL_REASONS.has(reason)) return ['thin_content']
  return WALL_STATUSES.has(httpStatusCode) ? ['blocked'] : []
}

function toRecords(value: unknown): Data[] {
  return Array.isArray(value) ? value.map(toRecord) : []
}
