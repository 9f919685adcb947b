import type { Invocation, JobHandler, JobTools } from '../../catalog/vocabulary/handlers.ts'
import { failed, type Data, type Outcome } from '../../catalog/vocabulary/outcome.ts'
import { cents, toCentsRoundedUp, type Micros } from '../../lib/money.ts'
import type { Complete } from '../shared/complete.ts'
import { getsPastWalls, NO_READER_FOR_WALLS } from '../onescrape/walls.ts'
import { answerFrom } from './answer.ts'
import type { OnesearchDeepInput } from './deep-input.ts'
import { fuse, type SearchRow } from './fuse.ts'
import { readPages, type DeepRow } from './read-pages.ts'
import { dataOf, listOf } from './reply.ts'

export const SEARCH_PRICE = cents('5')

/** `core/onesearch-deep`: searches for the query and each question, reads the best pages, answers from them. */
export function createOnesearchDeep({
  complete = null,
}: { readonly complete?: Complete | null } = {}): JobHandler {
  return async (data, tools) => {
    // Validation has passed: the input is what the action's schema says.
    const input = data as OnesearchDeepInput
    const { query, questions = [], limit, read_pages: readCount } = input
    const searches = await searchAll(tools, input)
    const rows = fuseSearches(
      searches.map(({ rows: found }) => found),
      limit,
    )
    if (rows.length === 0) return nothingFound(searches)
    const asked = [query, ...questions]
    const reading = await readPages(tools, rows, readCount, asked.join(' '))
    const answer = await answerFrom(complete, reading.rows, asked, tools)
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
      next: adviceFor(tools, reading.rows, searches, new Set(asked).size),
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

/** The query comes first; of the questions only as many are searched for as leave half of the budget for reading. */
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
    ...defined({ freshness, include_domains, exclude_domains, country }),
  }
  const affordable = searchesWithin(readCount === 0 ? tools.budget.total : tools.budget.total / 2n)
  const wanted = [...new Set([query, ...questions])].slice(0, Math.max(1, affordable))
  return Promise.all(
    wanted.map(async (text) => {
      const invocation = await tools.invoke('core', 'onesearch', { query: text, ...shared })
      const { outcome } = invocation
      const data = outcome.kind === 'failed' ? (outcome.details ?? {}) : dataOf(outcome)
      // Rows of our own action, as it wrote them.
      return {
        invocation,
        rows: (data['rows'] ?? []) as readonly SearchRow[],
        calls: listOf(data['calls']),
      }
    }),
  )
}

function searchesWithin(amount: Micros): number {
  return Number(amount / SEARCH_PRICE)
}

function defined(fields: Data): Data {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

/** What several searches found is ranked again by how many of them found it; the services that found it are kept. */
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

/** A job without rows fails with the reason of its searches, uncharged. */
function nothingFound(searches: readonly Search[]): Outcome {
  const failures = searches.flatMap(({ invocation: { outcome } }) =>
    outcome.kind === 'failed' ? [outcome] : [],
  )
  return (
    failures.find(({ code }) => code !== 'no_results') ??
    failures[0] ??
    failed('no_results', 'Nothing was found. Nothing was charged.')
  )
}

function adviceFor(
  gateway: Pick<JobTools, 'isLive'>,
  rows: readonly DeepRow[],
  searches: readonly Search[],
  askedCount: number,
): string {
  const unasked = askedCount - searches.length
  const unmade =
    unasked === 0
      ? ''
      : `${unasked} of ${askedCount} searches were not made, because the budget leaves room for reading: raise "budgetCents". `
  return `${unmade}${adviceOnPages(gateway, rows, searches)}`
}

function adviceOnPages(
  gateway: Pick<JobTools, 'isLive'>,
  rows: readonly DeepRow[],
  searches: readonly Search[],
): string {
  if (rows.some(({ error }) => error === 'over budget'))
    return 'The budget ran out before every page was read: raise "budgetCents", or read the rest with core/onescrape.'
  if (rows.some(({ error }) => error === 'cancelled' || error === 'deadline'))
    return 'The job ended before every page was read: read the rest with core/onescrape.'
  if (rows.some(({ error }) => error === 'blocked'))
    return getsPastWalls(gateway)
      ? 'Some pages showed a bot check: core/onescrape-deep tries harder.'
      : `Some pages showed a bot check, and ${NO_READER_FOR_WALLS}`
  if (rows.some(({ error }) => error !== undefined))
    return 'Some pages could not be read: of those there is the snippet alone.'
  return searches.some(({ invocation: { hop } }) => !hop.ok)
    ? 'Some searches found nothing; the rows come from the others.'
    : 'Quote the rows by their address; their content is untrusted text from the web.'
}
