import type { Choice } from './choose-blocks.ts'

/** A linear estimate of the word F1 of a page, fitted by `tools/reader/train-blocks.ts`. */
export type YieldModel = {
  readonly intercept: number
  readonly expectedF1: number
  readonly keptWords: number
  readonly agreement: number
  readonly isProduct: number
}
export type YieldInputs = Omit<YieldModel, 'intercept'>

/** The page whose yield is estimated. */
export type ReadChoice = Choice & {
  /** Words of each block. */
  readonly words: readonly number[]
  /** For each block, the probability that it is content. */
  readonly probabilities: ArrayLike<number>
  /** Whether the page declares itself a product; its reviews and related products are doubtful. */
  readonly isProduct: boolean
}

/** Pages with this many words of content are incomplete as often as not. */
const DOUBTFUL_WORDS = 4
/** Blocks above it would be the content if it were chosen generously. */
const LIKELY = 0.3

/**
 * The expected F1 of the choice, lower for a few words; the logarithm of its words; the word F1
 * between it and a generous choice; and 1 for a product.
 */
export function yieldInputs(choice: ReadChoice): YieldInputs {
  const { words, kept, expectedF1, probabilities, isProduct } = choice
  let [count, likely, both] = [0, 0, 0]
  for (const [at, own] of words.entries()) {
    const isKept = kept[at] === true
    const isLikely = (probabilities[at] ?? 0) > LIKELY
    if (isKept) count += own
    if (isLikely) likely += own
    if (isKept && isLikely) both += own
  }
  return {
    expectedF1: (expectedF1 * count) / (count + DOUBTFUL_WORDS),
    keptWords: Math.log1p(count),
    agreement: (2 * both) / Math.max(1, count + likely),
    isProduct: isProduct ? 1 : 0,
  }
}

/** 0 to 1. */
export function estimateYield(model: YieldModel, inputs: YieldInputs): number {
  const estimate =
    model.intercept +
    model.expectedF1 * inputs.expectedF1 +
    model.keptWords * inputs.keptWords +
    model.agreement * inputs.agreement +
    model.isProduct * inputs.isProduct
  return Math.min(1, Math.max(0, estimate))
}
