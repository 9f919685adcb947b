/** Keyword search over the catalog. The first search builds the index. */
import type { Service } from '../../catalog/vocabulary/define.ts'
import type { LaneOf } from '../../catalog/published/lane.ts'
import { liveServices } from '../../catalog/published/live-services.ts'
import { createDocuments, type Hit, type SearchDocument } from './documents.ts'
import { collapseSpaces, toPlainWords } from './idioms.ts'
import { buildIndex, type SearchIndex } from './search-index.ts'
import { taskOf } from './topic.ts'

const DEFAULT_LIMIT = 10
/** The least share of the query's weight that a document must match. */
const LEAST_SCORE = 0.35
/** The same for a search with only the words of the task, without its topic. */
const LEAST_TASK_SCORE = 0.5
/** The least score of `nearest`. */
const FAR_SCORE = 0.1
/** The least share of the best score. */
const LEAST_OF_BEST = 0.55
/** Ranks a live action above an equal one that is not live. */
const NOT_LIVE_FACTOR = 0.97

export type ScoredHit = Hit & { readonly score: number }
export type Discovery = {
  readonly query: string
  readonly hits: readonly ScoredHit[]
  readonly next: string
}
export type Discover = {
  /** Never throws. No hits if nothing in the catalog matches. */
  readonly search: (query: string, limit?: number) => Discovery
  /** The best hits without the usual threshold, for callers with their own. */
  readonly nearest: (query: string, limit: number) => readonly ScoredHit[]
  readonly size: number
}

export function createDiscover({
  services,
  laneOf,
}: {
  services: readonly Service[]
  laneOf: LaneOf
}): Discover {
  let built:
    | { readonly documents: readonly SearchDocument[]; readonly index: SearchIndex }
    | undefined
  const load = () => {
    if (built === undefined) {
      const documents = createDocuments(liveServices(services, laneOf), laneOf)
      built = { documents, index: buildIndex(documents) }
    }
    return built
  }
  const scoreHits = (query: string, least: number): ScoredHit[] => {
    const { documents, index } = load()
    return index.rank(query, least).ranked.flatMap(({ document, score }) => {
      const found = documents[document]
      if (found === undefined || score * found.prior < least) return []
      return [{ ...found.hit, score: score * found.prior * (found.hit.live ? 1 : NOT_LIVE_FACTOR) }]
    })
  }
  // Searches for the caller's words and, if they differ, for the catalog's words.
  const scoreBothWordings = (query: string): readonly ScoredHit[] => {
    const hits = scoreHits(query, LEAST_SCORE)
    const plain = toPlainWords(query)
    if (plain === collapseSpaces(query)) return hits
    const byName = new Map(hits.map((hit) => [keyOf(hit), hit]))
    for (const hit of scoreHits(plain, LEAST_SCORE))
      if (hit.score > (byName.get(keyOf(hit))?.score ?? 0)) byName.set(keyOf(hit), hit)
    return [...byName.values()]
  }
  return {
    get size() {
      return load().index.size
    },
    nearest: (query, limit) => byScore(scoreHits(query, FAR_SCORE)).slice(0, limit),
    search: (query, limit = DEFAULT_LIMIT) => {
      const whole = keepBest(scoreBothWordings(query))
      const task = whole.length > 0 ? null : taskOf(query)
      const hits = (task === null ? whole : keepBest(scoreHits(task.text, LEAST_TASK_SCORE)))
        .slice(0, limit)
        .map((hit) => ({ ...hit, score: Math.round(hit.score * 1000) / 1000 }))
      return { query, hits, next: writeAdvice(hits) }
    },
  }
}

function keyOf({ service, action, endpoint }: Hit): string {
  return `${service}/${action} ${endpoint ?? ''}`
}

function byScore(scored: readonly ScoredHit[]): ScoredHit[] {
  return scored.toSorted((a, b) => b.score - a.score || a.price_cents - b.price_cents)
}

function keepBest(scored: readonly ScoredHit[]): ScoredHit[] {
  const sorted = byScore(scored)
  const least = (sorted[0]?.score ?? 0) * LEAST_OF_BEST
  return sorted.filter(({ score }) => score >= least)
}

function writeAdvice(hits: readonly ScoredHit[]): string {
  const [first] = hits
  if (first === undefined)
    return 'Nothing in the catalog matches. Try different words, or GET /api/run for the whole list.'
  const path = `/api/run/${first.service}/${first.action}`
  const passed = first.endpoint === null ? '' : ` with "endpoint": "${first.endpoint}"`
  const note = first.live
    ? ''
    : ' It is not configured on this gateway; a test key reaches its simulation.'
  return `GET ${path} shows all parameters and an example; POST ${path}${passed} makes the call.${note}`
}
