import { logistic, sumOfLeaves, type BoostedTrees } from '../../lib/boosted-trees.ts'
import type { DomElement } from '../extract/dom.ts'
import { blockFeatures, FEATURES } from './block-features.ts'
import type { PageFacts } from './page-facts.ts'
import { readBlocks, type PageBlocks } from './read-blocks.ts'
import { countWords } from './text-size.ts'

/** The text blocks of a page with the numbers that the classifier needs. */
export type ReadPage = PageBlocks & {
  /** Words of each block. */
  readonly words: readonly number[]
  /** Row-major, one row of `FEATURES` per block. */
  readonly features: Float32Array
}

export function readPageBlocks(body: DomElement, facts: PageFacts): ReadPage {
  const page = readBlocks(body, facts.url)
  return {
    ...page,
    words: page.blocks.map(({ text }) => Math.max(1, countWords(text))),
    features: blockFeatures(page, facts),
  }
}

/** For each block, the probability that it is content. */
export function blockProbabilities(
  model: BoostedTrees,
  { features, words }: Pick<ReadPage, 'features' | 'words'>,
): Float32Array {
  const columns = FEATURES.length
  return Float32Array.from(words, (_, at) =>
    logistic(sumOfLeaves(model, features.subarray(at * columns, (at + 1) * columns))),
  )
}
