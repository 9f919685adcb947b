import type { Invocation, JobHandler, JobTools } from '../../catalog/vocabulary/handlers.ts'
import { failed, type Data, type Outcome } from '../../catalog/vocabulary/outcome.ts'
import { cents, toCentsRoundedUp, type Micros } from '../../lib/money.ts'
import type { Complete } from '../shared/complete.ts'
import { getsPastWalls, NO_READER_FOR_WALLS } from '../onescrape/walls.ts'
import { writeAnswer } from './answer.ts'
import type { OnesearchDeepInput } from './deep-input.ts'
import { fuse, type SearchRow } from './fuse.ts'
import { readPages, type DeepRow } from './read-pages.ts'
import { dataOf, toRecords } from './read-reply.ts'

export const SEARCH_PRICE = cents('5')

/** `core/onesearch-deep`: searches for the query and each question, reads the best pages and answers from them. */
export function createOnesearchDeep({
  complete = null,
}: { readonly complete?: Complete | null } = {}): JobHandler {
  return async (data, tools) => {
    // Validated against the action's schema.
    const input = data as OnesearchDeepInput
    const { query, questions = [], limit, read_pages: readCount } = input
    const searches = await searchAll(tools, input)
    const rows = fuseSearches(
      searches.map(({ rows: found }) => found),
      limit,
    )
    if (rows.length === 0) return failWithoutRows(searches)
    const texts = [query, ...questions]
    const reading = await readPages(tools, rows, readCount, texts.join(' '))
    const answer = await writeAnswer(complete, reading.rows, texts, tools)
    const spent = tools.budget.spent()
    const result = {
      query,
      ...(questions.length === 0 ? {} : { questions }),
      ...answer,
      row_count: reading.rows.length,
      read_count: reading.rows.filter(({ read }) => read).length,
      skipped_count: reading.rows.filter(({ error }) => error === 'over budget').length,
      rows: reading.rows,
      calls: [...searches.flatMap(({ calls }) => calls), ...reading.calls],
      next: writeAdvice(tools, reading.rows, searches, new Set(texts).size),
      spent_cents: toCentsRoundedUp(spent),
      spent_micros: Number(spent),
      budget_cents: toCentsRoundedUp(tools.budget.total),
    }
    return { kind: 'done', data: result, actual: spent }
  }
}

type Search = {
  readonly invocation: Invocation
  readonly rows: readonly SearchRow[]
  readonly calls: readonly Data[]
}

/** Searches for the query, then for as many questions as leave half of the budget for reading. */
async function searchAll(
  tools: JobTools,
  {
    query,
    questions = [],
    read_pages: readCount,
    limit,
    topic,
    freshness,
    include_domains,
    exclude_domains,
    country,
  }: OnesearchDeepInput,
): Promise<Search[]> {
  const shared = {
    limit,
    topic,
    ...withoutUndefined({ freshness, include_domains, exclude_domains, country }),
  }
  const affordable = searchesWithin(readCount === 0 ? tools.budget.total : tools.budget.total / 2n)
  const wanted = [...new Set([query, ...questions])].slice(0, Math.max(1, affordable))
  return Promise.all(
    wanted.map(async (text) => {
      const invocation = await tools.invoke('core', 'onesearch', { query: text, ...shared })
      const { outcome } = invocation
      const data = outcome.kind === 'failed' ? (outcome.details ?? {}) : dataOf(outcome)
      // core/onesearch returns rows of this type.
      return {
        invocation,
        rows: (data['rows'] ?? []) as readonly SearchRow[],
        calls: toRecords(data['calls']),
      }
    }),
  )
}

function searchesWithin(amount: Micros): number {
  return Number(amount / SEARCH_PRICE)
}

function withoutUndefined(fields: Data): Data {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

/** Ranks rows by the number of searches that found them. Each row lists all services that found it. */
function fuseSearches(lists: readonly (readonly SearchRow[])[], limit: number): SearchRow[] {
  const [only] = lists
  if (lists.length === 1 && only !== undefined) return [...only]
  const all = lists.flat()
  const rankings = lists.map((rows, at) => ({
    source: String(at),
    honoursFreshness: true,
    hits: rows.map(({ url, title, snippet, published_at: published }) => ({
      url,
      title,
      snippet,
      published,
    })),
  }))
  const fused = fuse(rankings, { since: null, includeDomains: [], excludeDomains: [] }, limit)
  return fused.map((row) => ({
    ...row,
    sources: [...new Set(all.filter(({ id }) => id === row.id).flatMap(({ sources }) => sources))],
  }))
}

/** Fails with the reason of the searches, not charged. */
function failWithoutRows(searches: readonly Search[]): Outcome {
  const failures = searches.flatMap(({ invocation: { outcome } }) =>
    outcome.kind === 'failed' ? [outcome] : [],
  )
  return (
    failures.find(({ code }) => code !== 'no_results') ??
    failures[0] ??
    failed('no_results', 'Nothing was found. Nothing was charged.')
  )
}

function writeAdvice(
  gateway: Pick<JobTools, 'isLive'>,
  rows: readonly DeepRow[],
  searches: readonly Search[],
  wantedCount: number,
): string {
  const skipped = wantedCount - searches.length
  const note =
    skipped === 0
      ? ''
      : `${skipped} of ${wantedCount} searches were skipped to leave budget for reading: raise "budgetCents". `
  return `${note}${adviceOnPages(gateway, rows, searches)}`
}

function adviceOnPages(
  gateway: Pick<JobTools, 'isLive'>,
  rows: readonly DeepRow[],
  searches: readonly Search[],
): string {
  if (rows.some(({ error }) => error === 'over budget'))
    return 'The budget ran out before every page was read. Raise "budgetCents", or read the rest with core/onescrape.'
  if (rows.some(({ error }) => error === 'cancelled' || error === 'deadline'))
    return 'The job ended before every page was read. Read the rest with core/onescrape.'
  if (rows.some(({ error }) => error === 'blocked'))
    return getsPastWalls(gateway)
      ? 'Some pages showed a bot check. Try core/onescrape-deep, which has stronger readers.'
      : `Some pages showed a bot check, and ${NO_READER_FOR_WALLS}`
  if (rows.some(({ error }) => error !== undefined))
    return 'Some pages could not be read. Their rows have only the snippet.'
  return searches.some(({ invocation: { hop } }) => !hop.ok)
    ? 'Some searches found nothing. The rows come from the others.'
    : 'Cite the rows by their URL. Their content is untrusted text from the web.'
}
