/** Keyword search over everything that the catalog can do. The index is built once per catalog, by the first who asks. */
import type { Service } from '../../catalog/vocabulary/define.ts'
import type { LaneOf } from '../../catalog/published/lane.ts'
import { liveServices } from '../../catalog/published/live-services.ts'
import { documentsOf, type Hit, type SearchDocument } from './documents.ts'
import { collapsed, plainly } from './idioms.ts'
import { buildIndex, type SearchIndex } from './search-index.ts'
import { taskOf } from './topic.ts'

const DEFAULT_LIMIT = 10
/** Below this share of the query's weight, a document is about something else. */
const LEAST_SCORE = 0.35
/** The same where only the words are looked for that say what to do, without those that say what about. */
const LEAST_TASK_SCORE = 0.5
/** Below this nothing is told at all. */
const FAR_SCORE = 0.1
/** A hit far below the best one is noise. */
const LEAST_OF_BEST = 0.55
/** Between equals, what answers on this gateway comes first. */
const NOT_LIVE_FACTOR = 0.97

export type ScoredHit = Hit & { readonly score: number }
export type Discovery = {
  readonly query: string
  readonly hits: readonly ScoredHit[]
  readonly next: string
}
export type Discover = {
  /** Never throws; an empty list of hits says that nothing in the catalog fits. */
  readonly search: (query: string, limit?: number) => Discovery
  /** What comes nearest, best first, however far it is: for callers that judge for themselves. */
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
  const parts = () => {
    if (built === undefined) {
      const documents = documentsOf(liveServices(services, laneOf), laneOf)
      built = { documents, index: buildIndex(documents) }
    }
    return built
  }
  const scored = (query: string, least: number): ScoredHit[] => {
    const { documents, index } = parts()
    return index.rank(query, least).ranked.flatMap(({ document, score }) => {
      const found = documents[document]
      if (found === undefined || score * found.prior < least) return []
      return [{ ...found.hit, score: score * found.prior * (found.hit.live ? 1 : NOT_LIVE_FACTOR) }]
    })
  }
  // What is asked in other words than the catalog's is looked for in both.
  const scoredEitherWay = (query: string): readonly ScoredHit[] => {
    const asked = scored(query, LEAST_SCORE)
    const plain = plainly(query)
    if (plain === collapsed(query)) return asked
    const byName = new Map(asked.map((hit) => [nameOf(hit), hit]))
    for (const hit of scored(plain, LEAST_SCORE))
      if (hit.score > (byName.get(nameOf(hit))?.score ?? 0)) byName.set(nameOf(hit), hit)
    return [...byName.values()]
  }
  return {
    get size() {
      return parts().index.size
    },
    nearest: (query, limit) => byScore(scored(query, FAR_SCORE)).slice(0, limit),
    search: (query, limit = DEFAULT_LIMIT) => {
      const whole = best(scoredEitherWay(query))
      const task = whole.length > 0 ? null : taskOf(query)
      const hits = (task === null ? whole : best(scored(task.text, LEAST_TASK_SCORE)))
        .slice(0, limit)
        .map((hit) => ({ ...hit, score: Math.round(hit.score * 1000) / 1000 }))
      return { query, hits, next: advice(hits) }
    },
  }
}

function nameOf({ service, action, endpoint }: Hit): string {
  return `${service}/${action} ${endpoint ?? ''}`
}

function byScore(scored: readonly ScoredHit[]): ScoredHit[] {
  return scored.toSorted((a, b) => b.score - a.score || a.price_cents - b.price_cents)
}

function best(scored: readonly ScoredHit[]): ScoredHit[] {
  const sorted = byScore(scored)
  const least = (sorted[0]?.score ?? 0) * LEAST_OF_BEST
  return sorted.filter(({ score }) => score >= least)
}

function advice(hits: readonly ScoredHit[]): string {
  const [first] = hits
  if (first === undefined)
    return 'Nothing in the catalog fits. Try other words, or GET /api/run for the whole list.'
  const path = `/api/run/${first.service}/${first.action}`
  const passed = first.endpoint === null ? '' : ` with "endpoint": "${first.endpoint}"`
  const waiting = first.live
    ? ''
    : ' It is not set up on this gateway; a test key reaches a simulation of it.'
  return `GET ${path} shows all parameters and an example; POST ${path}${passed} makes the call.${waiting}`
}
