/** Results of several services as one list: duplicates merged, ranks fused (reciprocal rank fusion). */
import { canonicalKey, cleanUrl, hostOf, isWithin } from './canonical-url.ts'
import { plainText, publishedAt } from './text.ts'
import type { Hit, SearchWish } from './wish.ts'

/** One service's answer to one query, best first. */
export type Ranking = {
  readonly source: string
  /** Whether the service itself kept to the window of `freshness`: then its undated rows are taken on trust. */
  readonly honoursFreshness: boolean
  readonly hits: readonly Hit[]
}

export type SearchRow = {
  readonly id: string
  readonly url: string
  readonly title: string | null
  readonly snippet: string | null
  readonly published_at: string | null
  /** Labels of the services that found it. */
  readonly sources: readonly string[]
  /** 1 when every service that answered put it first. */
  readonly score: number
}

/** The usual constant of reciprocal rank fusion: one place near the top counts little more than the next. */
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

/** At most `limit` rows, best first; equal scores keep the order of the rankings. */
export function fuse(
  rankings: readonly Ranking[],
  wish: Pick<SearchWish, 'since' | 'includeDomains' | 'excludeDomains'>,
  limit: number,
): SearchRow[] {
  const answered = rankings.filter(({ hits }) => hits.length > 0).length
  const groups = new Map<string, Found[]>()
  for (const ranking of rankings) {
    for (const [key, found] of ranked(ranking, wish))
      groups.set(key, [...(groups.get(key) ?? []), found])
  }
  const best = answered / (RANK_OFFSET + 1)
  return [...groups]
    .map(([key, found]) => rowOf(key, found, best))
    .toSorted((a, b) => b.score - a.score)
    .slice(0, limit)
}

/** What of a ranking is allowed, each page once, with its rank among what is left. */
function ranked(
  { source, honoursFreshness, hits }: Ranking,
  wish: Pick<SearchWish, 'since' | 'includeDomains' | 'excludeDomains'>,
): Map<string, Found> {
  const found = new Map<string, Found>()
  for (const hit of hits) {
    const url = cleanUrl(hit.url)
    const published = publishedAt(hit.published)
    if (
      url === null ||
      !isAllowedHost(url, wish) ||
      !isFresh(published, honoursFreshness, wish.since)
    )
      continue
    const key = canonicalKey(url)
    if (!found.has(key)) found.set(key, { hit, url, rank: found.size + 1, source, published })
  }
  return found
}

function isAllowedHost(
  url: string,
  { includeDomains, excludeDomains }: Pick<SearchWish, 'includeDomains' | 'excludeDomains'>,
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
  const sum = found.reduce((total, { rank }) => total + 1 / (RANK_OFFSET + rank), 0)
  const first = <T>(read: (one: Found) => T | null): T | null =>
    byRank.map(read).find((value) => value !== null) ?? null
  return {
    id: key,
    url: addressOf(byRank),
    title: first(({ hit }) => plainText(hit.title, MAX_TITLE_CHARS)),
    snippet: first(({ hit }) => plainText(hit.snippet, MAX_SNIPPET_CHARS)),
    published_at: first(({ published }) => published),
    sources: [...new Set(found.map(({ source }) => source))],
    score: Math.round((sum / best) * 10_000) / 10_000,
  }
}

/** Of several spellings the one for every device over https. */
function addressOf(found: readonly Found[]): string {
  const plain = found.find(
    ({ url }) =>
      url.startsWith('https:') && !/^https:\/\/(?:[a-z]{2,3}\.)?(?:m|mobile|amp)\./.test(url),
  )
  return (plain ?? found.find(({ url }) => url.startsWith('https:')) ?? found[0])?.url ?? ''
}
