/** Searches the web with the operator's engines. */
import type { CallTools } from '../../catalog/vocabulary/handlers.ts'
import type { WireRequest } from '../../catalog/vocabulary/wire.ts'
import { AppError } from '../../errors/app-error.ts'
import type { SearchRow } from '../onesearch/fuse.ts'
import type { Freshness, Topic } from '../onesearch/search-request.ts'
import { withSites } from '../onesearch/service-input.ts'
import { publishedAt } from '../onesearch/text.ts'
import { MAX_QUERY_CHARS } from './check-query.ts'
import {
  readEngineNames,
  shortestSuspension,
  type EngineFailure,
  type EngineReply,
} from './engine-reply.ts'
import { rankPages } from './rank-pages.ts'
import { CATEGORIES, engineListRequest, toEngineRequest } from './searxng.ts'

export type PageSearch = {
  /** For the same purpose. The first decides the ranking. */
  readonly queries: readonly [string, ...string[]]
  readonly topic: Topic
  readonly period: Period
  readonly language: string | null
  readonly includeDomains: readonly string[]
  readonly excludeDomains: readonly string[]
  /** The rows that the caller wants. */
  readonly count: number
  /** From 1. */
  readonly page: number
  readonly safeSearch: 0 | 1 | 2
}

/** Days as YYYY-MM-DD. `freshness` is the period that engines know, at least as long. */
export type Period = {
  readonly freshness: Freshness | null
  readonly since: string | null
  readonly until: string | null
  /** The engines apply exactly this period, so that pages without a date are in it. */
  readonly isExact: boolean
}
export const ANY_TIME: Period = { freshness: null, since: null, until: null, isExact: true }

export type FoundPages = {
  readonly rows: readonly SearchRow[]
  readonly engines: {
    readonly answered: readonly string[]
    readonly failed: readonly EngineFailure[]
  }
  /** Pages without a date that were dropped because their age is unknown. */
  readonly undated: number
}

/** Sends a request to the operator's SearXNG within its limits. Throws AppError. */
export type EngineRequests = {
  search(wire: WireRequest, tools: EngineTools): Promise<EngineReply>
  /** Null if SearXNG does not list its engines. */
  list(wire: WireRequest, tools: EngineTools): Promise<unknown>
}
export type EngineTools = Pick<CallTools, 'accountId' | 'signal' | 'timeoutMs' | 'now' | 'callId'>

export type FindPages = (search: PageSearch, tools: EngineTools) => Promise<FoundPages>

type FindDeps = {
  readonly requests: EngineRequests
  /** Whether a caller may receive the address; private ones are dropped. */
  readonly isAllowed: (url: string) => boolean
}

const MAX_QUERY_WORDS = 60
/** A page of SearXNG merges those of its engines. */
const ROWS_OF_A_PAGE = 20
const DAY_CHARACTERS = 10

/**
 * Throws AppError upstream_busy if no engine answered: pages may exist. An empty list of rows means
 * that engines answered and found nothing.
 */
export function createFindPages({ requests, isAllowed }: FindDeps): FindPages {
  return async (search, tools) => {
    const { queries, topic, period, count } = search
    const replies = await firstAnswers(toWires(search).map((wire) => requests.search(wire, tools)))
    const allowed = replies.map(({ hits }) => ({ hits: hits.filter(({ url }) => isAllowed(url)) }))
    const request = { ...search, query: queries[0], since: period.since }
    const rows = rankPages(allowed, request, period.isExact).filter((row) => isBefore(row, period))
    const failed = failuresOf(replies)
    const named = new Set(allowed.flatMap(({ hits }) => hits.flatMap(({ engines }) => engines)))
    const answered =
      named.size > 0 || failed.length === 0
        ? [...named]
        : await findSilent(requests, { topic, failed }, tools)
    if (answered.length === 0 && failed.length > 0) throw blocked(failed)
    return {
      rows: rows.slice(0, count),
      engines: { answered, failed: failed.filter(({ name }) => !answered.includes(name)) },
      undated: period.isExact ? 0 : countUndated(allowed),
    }
  }
}

function toWires(search: PageSearch): readonly WireRequest[] {
  const { queries, period, count, page } = search
  const pages = count > ROWS_OF_A_PAGE && queries.length === 1 ? [page, page + 1] : [page]
  return queries.flatMap((query) =>
    pages.map((one) =>
      toEngineRequest({
        ...search,
        words: wordsOf(query, search),
        freshness: period.freshness,
        page: one,
      }),
    ),
  )
}

/** The query on one line, with the domains as operators if they fit. */
function wordsOf(query: string, { includeDomains, excludeDomains }: PageSearch): string {
  const request = { query: query.normalize('NFC').trim(), includeDomains, excludeDomains }
  return withSites(request, MAX_QUERY_CHARS, MAX_QUERY_WORDS)
}

/** The replies that arrived. Throws the first error if no reply arrived. */
async function firstAnswers(asked: readonly Promise<EngineReply>[]): Promise<EngineReply[]> {
  const settled = await Promise.allSettled(asked)
  const replies = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const [failure] = settled.flatMap((one) => (one.status === 'rejected' ? [one] : []))
  if (failure !== undefined && (replies.length === 0 || !(failure.reason instanceof AppError)))
    throw failure.reason
  return replies
}

function isBefore({ published_at: at }: SearchRow, { until }: Period): boolean {
  return until === null || (at !== null && at.slice(0, DAY_CHARACTERS) <= until)
}

function countUndated(replies: readonly Pick<EngineReply, 'hits'>[]): number {
  const undated = replies.flatMap(({ hits }) =>
    hits.filter(({ published }) => publishedAt(published) === null).map(({ url }) => url),
  )
  return new Set(undated).size
}

function failuresOf(replies: readonly EngineReply[]): readonly EngineFailure[] {
  return [
    ...new Map(replies.flatMap(({ failures }) => failures.map((one) => [one.name, one]))).values(),
  ]
}

/**
 * The engines that answered with nothing. SearXNG does not name them, so they are the enabled ones
 * without those that failed. Empty if SearXNG does not list its engines.
 */
async function findSilent(
  { list }: EngineRequests,
  { topic, failed }: { readonly topic: Topic; readonly failed: readonly EngineFailure[] },
  tools: EngineTools,
): Promise<readonly string[]> {
  const names = readEngineNames(await list(engineListRequest, tools), CATEGORIES[topic]) ?? []
  return names.filter((name) => !failed.some((one) => one.name === name))
}

function blocked(failed: readonly EngineFailure[]): AppError {
  const engines = failed.map(({ name, reason }) => `${name} (${reason})`).join(', ')
  return new AppError(
    'upstream_busy',
    `No search engine of this gateway answers now, so pages may exist: ${engines}. Nothing was charged.`,
    { retryAfterSeconds: shortestSuspension(failed), details: { engines: failed } },
  )
}
