import { countTokens } from './count-tokens.ts'
import { SAMPLED_UNITS, sampleTokens } from './sample-tokens.ts'

// Counting blocks every other call: this much takes about 20 ms, 20 MiB would take seconds.
const MOST_COUNTED_UNITS = SAMPLED_UNITS
/** Most makers cut texts a little finer than o200k_base does; holds are for this much more than the count. */
const MARGIN = 1.2
/** Where a sample stands for the text, so many standard deviations are held above it. */
const DEVIATIONS = 2

/** The tokens to hold for a text before a call: its count and a margin. */
export function estimateTokens(text: string): number {
  if (text.length <= MOST_COUNTED_UNITS) return Math.ceil(countTokens(text) * MARGIN)
  const { tokens, deviation } = sampleTokens(text)
  return Math.ceil((tokens + DEVIATIONS * deviation) * MARGIN)
}

/** Tokens of all texts together, to bill what no upstream counted. Of very long texts a sample is counted. */
export function countTokensOf(texts: readonly string[]): number {
  const length = texts.reduce((sum, text) => sum + text.length, 0)
  if (length <= MOST_COUNTED_UNITS) return texts.reduce((sum, text) => sum + countTokens(text), 0)
  return Math.ceil(sampleTokens(texts.join('')).tokens)
}
