import { countTokens } from './count-tokens.ts'
import { SAMPLED_UNITS, sampleTokens } from './sample-tokens.ts'

// Counting blocks other calls: this length takes about 20 ms, 20 MiB would take seconds.
const MOST_COUNTED_UNITS = SAMPLED_UNITS
/** Other tokenizers produce slightly more tokens than o200k_base; holds add this margin. */
const MARGIN = 1.2
/** If only a sample is counted, holds add this many standard deviations. */
const DEVIATIONS = 2

/** The tokens to hold for a text before a call: the count with a margin. */
export function estimateTokens(text: string): number {
  if (text.length <= MOST_COUNTED_UNITS) return Math.ceil(countTokens(text) * MARGIN)
  const { tokens, deviation } = sampleTokens(text)
  return Math.ceil((tokens + DEVIATIONS * deviation) * MARGIN)
}

/** The tokens of all texts, for billing what no upstream counted. Very long texts are sampled. */
export function countTokensOf(texts: readonly string[]): number {
  const length = texts.reduce((sum, text) => sum + text.length, 0)
  if (length <= MOST_COUNTED_UNITS) return texts.reduce((sum, text) => sum + countTokens(text), 0)
  return Math.ceil(sampleTokens(texts.join('')).tokens)
}
