import { wordF1, wordsOf, type GoldPage } from '../../bench/pages/gold.ts'
import {
  declaredInputs,
  estimateDeclaredYield,
  type DeclaredSource,
  type DeclaredYieldModel,
} from '../../src/reader/embedded/declared-yield.ts'
import { declaredContents } from '../../src/reader/extract/declared-text.ts'
import { bodyOf, parseDocument } from '../../src/reader/extract/dom.ts'
import { toText } from '../../src/reader/extract/text.ts'
import { fitMean } from './fit-line.ts'

/** Declared content of a page with a gold text, and its word F1. */
export type DeclaredSample = {
  readonly source: DeclaredSource
  readonly words: number
  readonly f1: number
}
/** Samples of one page with the fold of its site. */
export type DeclaredPage = { readonly fold: number; readonly declared: readonly DeclaredSample[] }

const SOURCES = ['thread', 'product', 'other', 'application'] as const

export function readDeclaredSamples({ html, gold }: GoldPage): DeclaredSample[] {
  if (gold === undefined) return []
  const expected = wordsOf(gold)
  return declaredContents(html).map(({ source, words, html: content }) => ({
    source,
    words,
    f1: wordF1(expected, wordsOf(toText(bodyOf(parseDocument(content))))),
  }))
}

/** By least squares, so that the mean of the estimates is the mean F1. */
export function trainDeclaredYield(samples: readonly DeclaredSample[]): DeclaredYieldModel {
  const line = fitMean(
    samples.map(({ source, words }) => {
      const inputs = declaredInputs(words)
      return [...SOURCES.map((one) => (one === source ? 1 : 0)), inputs.words, inputs.excessWords]
    }),
    samples.map(({ f1 }) => f1),
  )
  const [intercept = 0, thread = 0, product = 0, other = 0, application = 0, ...sizes] = line
  const [words = 0, excessWords = 0] = sizes
  return {
    intercept,
    sources: { article: 0, thread, product, other, application },
    words,
    excessWords,
  }
}

/** Each sample with an estimate from the samples of other folds. */
export function estimateDeclared(pages: readonly DeclaredPage[]) {
  const folds = [...new Set(pages.map(({ fold }) => fold))]
  return folds.flatMap((fold) => {
    const model = trainDeclaredYield(
      pages.filter((page) => page.fold !== fold).flatMap(({ declared }) => declared),
    )
    return pages
      .filter((page) => page.fold === fold)
      .map(({ declared }) =>
        declared.map((sample) => ({
          ...sample,
          estimate: estimateDeclaredYield(model, sample.source, sample.words),
        })),
      )
  })
}
