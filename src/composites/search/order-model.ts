/** The learned order of search results: a logistic model over features from 0 to 1. */
import weights from './order-model.json' with { type: 'json' }

export type Features = {
  /** Reciprocal rank fusion of the engines, relative to the best row. */
  readonly fused: number
  /** The share of the engines that found the page. */
  readonly agreement: number
  /** BM25 of title and snippet, relative to the best row. */
  readonly bm25: number
  /** The shares of the words of the query in the title, and in title or snippet. */
  readonly titleCoverage: number
  readonly coverage: number
  /** The title has the whole query. */
  readonly phrase: number
  /** The name of the site is in the query. */
  readonly site: number
}
export type FeatureName = keyof Features

export const FEATURE_NAMES = Object.keys(weights.features) as readonly FeatureName[]

/** From 0 to 1. */
export function scoreFeatures(features: Features): number {
  let sum = weights.bias
  for (const name of FEATURE_NAMES) sum += weights.features[name] * features[name]
  return 1 / (1 + Math.exp(-sum))
}
