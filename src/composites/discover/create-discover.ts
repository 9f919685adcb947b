/** Search over the catalog by a learned ranker. */
import type { Service } from '../../catalog/vocabulary/define.ts'
import type { LaneOf } from '../../catalog/published/lane.ts'
import { liveServices } from '../../catalog/published/live-services.ts'
import { createSliced, type Steps, type Turns } from '../../lib/background/sliced.ts'
import { documentSteps, type Hit, type SearchDocument } from './documents.ts'
import { toProbability } from './ranking/calibration.ts'
import { rankerSteps, type Ranker } from './ranking/create-ranker.ts'
import { translateSteps } from './ranking/lexicon.ts'
import { modelSteps, type RankingModel } from './ranking/model-file.ts'
import { indexSteps, type SearchIndex } from './search-index.ts'

const DEFAULT_LIMIT = 10
/** Less probable hits are left out, except the first three. */
const LEAST_PROBABILITY = 0.02
const LEAST_HITS = 3
/** The least score of `nearest`. */
const FAR_SCORE = 0.1
/** Ranks a live action above an equal one that is not live. In log-odds. */
const NOT_LIVE_MALUS = 0.1

/**
 * `probability`: 0 to 1, that the action fits the task. `confidence` is low if the hit is a guess; without a hit of
 * high confidence, probably nothing in the catalog fits.
 */
export type ScoredHit = Hit & {
  readonly probability: number
  readonly confidence: 'high' | 'low'
}
/** `score`: the share of the query's words that match, 0 to 1. */
export type WordHit = Hit & { readonly score: number }
export type Discovery = {
  readonly query: string
  readonly hits: readonly ScoredHit[]
  readonly next: string
}
export type Discover = {
  /** Reads the model and builds the index in the background. All callers wait for the same build. */
  readonly prepare: () => Promise<void>
  /** Best first. Never throws. Blocks the event loop for about a second unless `prepare` has resolved. */
  readonly search: (query: string, limit?: number) => Discovery
  /** The best hits by words only. */
  readonly nearest: (query: string, limit: number) => readonly WordHit[]
  readonly size: number
}

type Built = {
  readonly documents: readonly SearchDocument[]
  readonly index: SearchIndex
  readonly ranker: Ranker
  readonly model: RankingModel
}

export function createDiscover({
  services,
  laneOf,
  turns,
}: {
  services: readonly Service[]
  laneOf: LaneOf
  turns?: Turns
}): Discover {
  const building = createSliced(() => build(liveServices(services, laneOf), laneOf), turns)
  const load = building.whole
  /** The index is built once, and a vendor's route may be gone since. */
  const withLane = <Found extends Hit>(hit: Found): Found => ({
    ...hit,
    live: laneOf(hit.service, hit.action, hit.endpoint ?? undefined).live !== null,
  })
  return {
    prepare: async () => void (await building.inSlices()),
    get size() {
      return load().documents.length
    },
    nearest: (query, limit) => findByWords(load(), query).slice(0, limit).map(withLane),
    search: (query, limit = DEFAULT_LIMIT) => {
      const hits = findByModel(load(), query).slice(0, limit).map(withLane)
      return { query, hits, next: writeAdvice(hits) }
    },
  }
}

function* build(services: readonly Service[], laneOf: LaneOf): Steps<Built> {
  const documents = yield* documentSteps(services, laneOf)
  const model = yield* modelSteps()
  const index = yield* indexSteps(documents)
  const { linear, trees } = model
  const translate = yield* translateSteps()
  const ranker = yield* rankerSteps({ documents, index, linear, trees, translate })
  return { documents, index, ranker, model }
}

function findByModel({ documents, ranker, model }: Built, query: string): ScoredHit[] {
  return ranker
    .rank(query)
    .flatMap(({ document, score }) => {
      const hit = documents[document]?.hit
      return hit === undefined ? [] : [{ hit, score: score - (hit.live ? 0 : NOT_LIVE_MALUS) }]
    })
    .toSorted((one, other) => other.score - one.score)
    .flatMap(({ hit, score }, place): ScoredHit[] => {
      const probability = Math.round(toProbability(model.calibration, score) * 1000) / 1000
      const confidence = probability >= model.highConfidence ? 'high' : 'low'
      return probability < LEAST_PROBABILITY && place >= LEAST_HITS
        ? []
        : [{ ...hit, probability, confidence }]
    })
}

function findByWords({ documents, index }: Built, query: string): WordHit[] {
  return index
    .rank(query, FAR_SCORE)
    .ranked.flatMap(({ document, score }): WordHit[] => {
      const found = documents[document]
      return found === undefined || score * found.prior < FAR_SCORE
        ? []
        : [{ ...found.hit, score: score * found.prior }]
    })
    .toSorted((one, other) => other.score - one.score || one.price_cents - other.price_cents)
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
  const doubt =
    first.confidence === 'high' ? '' : 'No action clearly fits; these hits are guesses. '
  return `${doubt}GET ${path} shows all parameters and an example; POST ${path}${passed} makes the call.${note}`
}
