/** Ranks the pages of several engines: their agreement, BM25 over title and snippet, and a learned order. */
import MiniSearch from 'minisearch'
import { fuse, type Ranking, type SearchRow } from '../onesearch/fuse.ts'
import type { SearchRequest } from '../onesearch/search-request.ts'
import type { EngineHit, EngineReply } from './engine-reply.ts'
import { scoreFeatures, type Features } from './order-model.ts'
import { termsOf } from './terms.ts'

/** Rows that the ranker looks at. */
const MAX_ROWS = 60

/**
 * The rows, best first, with scores from 0 to 1. `sources` are engines. `honoursFreshness`: the
 * engines applied the period of the request, so that rows without a date are in it.
 */
export function rankPages(
  replies: readonly Pick<EngineReply, 'hits'>[],
  request: Pick<SearchRequest, 'query' | 'since' | 'includeDomains' | 'excludeDomains'>,
  honoursFreshness: boolean,
): SearchRow[] {
  const rankings = replies.flatMap(({ hits }) => toRankings(hits, honoursFreshness))
  const engines = new Set(rankings.map(({ source }) => source)).size
  return orderRows(fuse(rankings, request, MAX_ROWS), request.query, engines)
}

/**
 * One ranking for each engine, because the order of SearXNG itself hides how many engines agree.
 * SearXNG does not state which place belongs to which engine, and the sum over all of them does not depend on it.
 */
export function toRankings(hits: readonly EngineHit[], honoursFreshness: boolean): Ranking[] {
  const byEngine = new Map<string, { readonly hit: EngineHit; readonly place: number }[]>()
  hits.forEach((hit, index) => {
    hit.engines.forEach((engine, at) => {
      const placed = { hit, place: hit.positions[at] ?? index + 1 }
      byEngine.set(engine, [...(byEngine.get(engine) ?? []), placed])
    })
  })
  return [...byEngine].map(([source, placed]) => ({
    source,
    honoursFreshness,
    hits: placed
      .toSorted((a, b) => a.place - b.place)
      .map(({ hit: { engines: _engines, ...hit } }) => hit),
  }))
}

/** Sorts fused rows by the learned order. Ties stay in the order of the rows. */
export function orderRows(rows: readonly SearchRow[], query: string, engines: number): SearchRow[] {
  const features = featuresOf(rows, query, engines)
  return rows
    .map((row, at) => ({ ...row, score: round(scoreFeatures(features[at] ?? NO_FEATURES)) }))
    .toSorted((a, b) => b.score - a.score)
}

const NO_FEATURES: Features = {
  fused: 0,
  agreement: 0,
  bm25: 0,
  titleCoverage: 0,
  coverage: 0,
  phrase: 0,
  site: 0,
}

/** The features of each row, from 0 to 1. */
export function featuresOf(rows: readonly SearchRow[], query: string, engines: number): Features[] {
  const terms = [...new Set(termsOf(query))]
  const relevance = bm25Of(rows, query)
  const bestFused = Math.max(...rows.map(({ score }) => score), Number.EPSILON)
  const bestRelevance = Math.max(...relevance.values(), Number.EPSILON)
  return rows.map((row) => {
    const title = termsOf(row.title ?? '')
    const text = new Set([...title, ...termsOf(row.snippet ?? '')])
    const host = new URL(row.url).hostname.replace(/^www\./, '')
    return {
      fused: row.score / bestFused,
      agreement: row.sources.length / Math.max(1, engines),
      bm25: (relevance.get(row.id) ?? 0) / bestRelevance,
      titleCoverage: shareOf(terms, (term) => title.includes(term)),
      coverage: shareOf(terms, (term) => text.has(term)),
      phrase: terms.length > 1 && title.join(' ').includes(terms.join(' ')) ? 1 : 0,
      site: terms.some((term) => term.length > 2 && host.split(/[.-]/).includes(term)) ? 1 : 0,
    }
  })
}

function bm25Of(rows: readonly SearchRow[], query: string): ReadonlyMap<string, number> {
  const index = new MiniSearch<SearchRow>({
    fields: ['title', 'snippet'],
    tokenize: (text) => termsOf(text),
    processTerm: (term) => term,
  })
  index.addAll(rows)
  const found = index.search(query, { boost: { title: 2 }, combineWith: 'OR' })
  return new Map(found.map(({ id, score }) => [String(id), score]))
}

function shareOf<Item>(items: readonly Item[], isCounted: (item: Item) => boolean): number {
  return items.length === 0 ? 0 : items.filter(isCounted).length / items.length
}

function round(score: number): number {
  return Math.round(score * 10_000) / 10_000
}
