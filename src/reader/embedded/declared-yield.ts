/**
 * Where declared content comes from: JSON-LD of an article, of a thread, of a product or of another
 * type, or the data of an application.
 */
export type DeclaredSource = 'article' | 'thread' | 'product' | 'other' | 'application'

/** A linear estimate of the word F1 of declared content, fitted by `tools/reader/train-blocks.ts`. */
export type DeclaredYieldModel = {
  readonly intercept: number
  /** Difference from an article. */
  readonly sources: Readonly<Record<DeclaredSource, number>>
  readonly words: number
  readonly excessWords: number
}

const FULL_WORDS = Math.log(1_000)
/** The data of an application with more words describes other pages too. */
const EXCESS_WORDS = Math.log(3_000)

/** The logarithm of the words up to a long article, and of what exceeds one page. */
export function declaredInputs(words: number): Pick<DeclaredYieldModel, 'words' | 'excessWords'> {
  const count = Math.log1p(words)
  return {
    words: Math.min(FULL_WORDS, count),
    excessWords: Math.max(0, count - EXCESS_WORDS),
  }
}

/** 0 to 1. */
export function estimateDeclaredYield(
  model: DeclaredYieldModel,
  source: DeclaredSource,
  words: number,
): number {
  const inputs = declaredInputs(words)
  const estimate =
    model.intercept +
    model.sources[source] +
    model.words * inputs.words +
    model.excessWords * inputs.excessWords
  return Math.min(1, Math.max(0, estimate))
}
