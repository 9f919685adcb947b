/** The operator's SearXNG as a vendor: its address comes from SEARXNG_URL, so it has no default. */
import { get, noAuth, type Vendor, type WireRequest } from '../../catalog/vocabulary/wire.ts'
import type { Freshness, Topic } from '../onesearch/search-request.ts'

/**
 * Suspensions by engines last hours, so one burst would end the searches of all accounts. The limit holds
 * over all processes and accounts alternate within it.
 */
const LIMITS = { perSecond: 1, concurrent: 3 }

export const searxng: Vendor = {
  label: 'searxng',
  baseUrl: 'http://searxng.invalid',
  auth: noAuth,
  isPrivate: true,
  limits: LIMITS,
  docsUrl: 'https://docs.searxng.org/dev/search_api.html',
  readFailure: ({ status }) =>
    status === 403
      ? {
          code: 'upstream_not_configured',
          fix: 'The operator of this gateway must allow JSON in the settings of SearXNG (search.formats); ./tollgate doctor names the lines.',
        }
      : undefined,
}

/** One page of results. */
export type EngineQuery = {
  readonly words: string
  readonly topic: Topic
  readonly freshness: Freshness | null
  /** Such as "de" or "pt-BR"; null for all languages. */
  readonly language: string | null
  /** From 1. */
  readonly page: number
  readonly safeSearch: 0 | 1 | 2
}

/** SearXNG's category of a topic. Its category "it" has forums and package lists, too. */
export const CATEGORIES: Readonly<Record<Topic, string>> = {
  web: 'general',
  news: 'news',
  papers: 'science',
  code: 'it',
}
const CACHE_SECONDS = 600
const NEWS_CACHE_SECONDS = 300

export function toEngineRequest(query: EngineQuery): WireRequest {
  return {
    ...get('/search', {
      q: query.words,
      format: 'json',
      categories: CATEGORIES[query.topic],
      // Otherwise the address of the server decides the language.
      language: query.language ?? 'all',
      time_range: query.freshness ?? undefined,
      pageno: query.page,
      safesearch: query.safeSearch,
    }),
    cacheSeconds: query.topic === 'news' ? NEWS_CACHE_SECONDS : CACHE_SECONDS,
  }
}

/** The list of engines, which needs no search and reaches no engine. */
export const engineListRequest: WireRequest = { ...get('/config'), cacheSeconds: CACHE_SECONDS }
