import type { Choice } from './choose-blocks.ts'

/** A linear estimate of the word F1 of a page, fitted by `tools/reader/train-blocks.ts`. */
export type YieldModel = {
  readonly intercept: number
  readonly expectedF1: number
  readonly keptWords: number
}
export type YieldInputs = Omit<YieldModel, 'intercept'>

/** Pages with this many words of content are incomplete as often as not. */
const DOUBTFUL_WORDS = 4

/** The expected F1 of the choice, lower for a few words, and the logarithm of its words. */
export function yieldInputs(words: readonly number[], { kept, expectedF1 }: Choice): YieldInputs {
  const count = words.reduce((sum, own, at) => sum + (kept[at] === true ? own : 0), 0)
  return {
    expectedF1: (expectedF1 * count) / (count + DOUBTFUL_WORDS),
    keptWords: Math.log1p(count),
  }
}

/** 0 to 1. */
export function estimateYield(model: YieldModel, inputs: YieldInputs): number {
  const estimate =
    model.intercept + model.expectedF1 * inputs.expectedF1 + model.keptWords * inputs.keptWords
  return Math.min(1, Math.max(0, estimate))
}
