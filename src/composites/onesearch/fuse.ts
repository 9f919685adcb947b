/** Merges the results of several services: removes duplicates and fuses the ranks (reciprocal rank fusion). */
import { canonicalKey, cleanUrl, hostOf, isWithin } from './canonical-url.ts'
import { plainText, publishedAt } from './text.ts'
import type { Hit, SearchRequest } from './search-request.ts'

/** One service's results for one query, best first. */
export type Ranking = {
  readonly source: string
  /** The service applies `freshness` itself, so its rows without a date are accepted. */
  readonly honoursFreshness: boolean
  readonly hits: readonly Hit[]
}

export type SearchRow = {
  readonly id: string
  readonly url: string
  readonly title: string | null
  readonly snippet: string | null
  readonly published_at: string | null
  /** Services that found it; of a metasearch, its engines. */
  readonly sources: readonly string[]
  /** 1 if every service with hits ranks it first. */
  readonly score: number
}

/** The usual constant of reciprocal rank fusion. It keeps the top places close to each other. */
const RANK_OFFSET = 60
const MAX_TITLE_CHARS = 300
const MAX_SNIPPET_CHARS = 500

type Found = {
  readonly hit: Hit
  readonly url: string
  readonly rank: number
  readonly source: string
  readonly published: string | null
}

/** At most `limit` rows, best first. Ties keep the order of the rankings. */
export function fuse(
  rankings: readonly Ranking[],
  request: Pick<SearchRequest, 'since' | 'includeDomains' | 'excludeDomains'>,
  limit: number,
): SearchRow[] {
  const answered = rankings.reduce((sum, { hits }) => sum + countVoters(hits), 0)
  const groups = new Map<string, Found[]>()
  for (const ranking of rankings) {
    for (const [key, found] of filterRanking(ranking, request))
      groups.set(key, [...(groups.get(key) ?? []), found])
  }
  const best = answered / (RANK_OFFSET + 1)
  return [...groups]
    .map(([key, found]) => rowOf(key, found, best))
    .toSorted((a, b) => b.score - a.score)
    .slice(0, limit)
}

/** One for a service, and one for each engine of a metasearch. */
function countVoters(hits: readonly Hit[]): number {
  const engines = new Set(hits.flatMap(({ engines: names = [] }) => names))
  return hits.length === 0 ? 0 : Math.max(1, engines.size)
}

function votersOf({ hit: { engines = [] }, source }: Found): readonly string[] {
  return engines.length === 0 ? [source] : engines
}

/** Filters a ranking and removes duplicates. The ranks count the remaining pages. */
function filterRanking(
  { source, honoursFreshness, hits }: Ranking,
  request: Pick<SearchRequest, 'since' | 'includeDomains' | 'excludeDomains'>,
): Map<string, Found> {
  const found = new Map<string, Found>()
  for (const hit of hits) {
    const url = cleanUrl(hit.url)
    const published = publishedAt(hit.published)
    if (
      url === null ||
      !isAllowedHost(url, request) ||
      !isFresh(published, honoursFreshness, request.since)
    )
      continue
    const key = canonicalKey(url)
    if (!found.has(key)) found.set(key, { hit, url, rank: found.size + 1, source, published })
  }
  return found
}

function isAllowedHost(
  url: string,
  { includeDomains, excludeDomains }: Pick<SearchRequest, 'includeDomains' | 'excludeDomains'>,
): boolean {
  const { hostname } = new URL(url)
  const hosts = [hostname, hostOf(new URL(url))]
  const isIncluded =
    includeDomains.length === 0 || hosts.some((host) => isWithin(host, includeDomains))
  return isIncluded && !hosts.some((host) => isWithin(host, excludeDomains))
}

function isFresh(
  published: string | null,
  honoursFreshness: boolean,
  since: string | null,
): boolean {
  if (since === null) return true
  return published === null ? honoursFreshness : published >= since
}

function rowOf(key: string, found: readonly Found[], best: number): SearchRow {
  const byRank = found.toSorted((a, b) => a.rank - b.rank)
  const sum = found.reduce(
    (total, one) => total + votersOf(one).length / (RANK_OFFSET + one.rank),
    0,
  )
  const first = <T>(read: (one: Found) => T | null): T | null =>
    byRank.map(read).find((value) => value !== null) ?? null
  return {
    id: key,
    url: pickUrl(byRank),
    title: first(({ hit }) => plainText(hit.title, MAX_TITLE_CHARS)),
    snippet: first(({ hit }) => plainText(hit.snippet, MAX_SNIPPET_CHARS)),
    published_at: first(({ published }) => published),
    sources: [...new Set(found.flatMap(votersOf))],
    score: Math.round((sum / best) * 10_000) / 10_000,
  }
}

/** Prefers an https URL, and one that is not for mobile devices. */
function pickUrl(found: readonly Found[]): string {
  const plain = found.find(
    ({ url }) =>
      url.startsWith('https:') && !/^https:\/\/(?:[a-z]{2,3}\.)?(?:m|mobile|amp)\./.test(url),
  )
  return (plain ?? found.find(({ url }) => url.startsWith('https:')) ?? found[0])?.url ?? ''
}
