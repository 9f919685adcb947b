import { logistic, sumOfLeaves, type BoostedTrees } from '../../lib/boosted-trees.ts'
import type { DomElement } from '../extract/dom.ts'
import type { HiddenText } from '../hidden/hidden-text.ts'
import { blockFeatures, FEATURES } from './block-features.ts'
import type { PageFacts } from './page-facts.ts'
import { readBlocks, type Block, type PageBlocks } from './read-blocks.ts'
import { countWords } from './text-size.ts'

/** The text blocks of a page with the numbers that the classifier needs. */
export type ReadPage = PageBlocks & {
  /** Words of each block. */
  readonly words: readonly number[]
  /** Row-major, one row of `FEATURES` per block. */
  readonly features: Float32Array
}

/** The part of a page that the classifier reads. */
export type ClassifiedPage = Pick<ReadPage, 'features' | 'words'> & {
  readonly blocks: readonly Pick<Block, 'isHidden'>[]
}

/** `hidden` is the text that a person cannot see. */
export function readPageBlocks(
  body: DomElement,
  facts: PageFacts,
  hidden?: Pick<HiddenText, 'boxes' | 'texts'>,
): ReadPage {
  const page = readBlocks(body, facts.url, hidden)
  return {
    ...page,
    words: page.blocks.map(({ text }) => Math.max(1, countWords(text))),
    features: blockFeatures(page, facts),
  }
}

/** Size of the text that a person sees, as `sizeOf` counts it. */
export function shownSize({ blocks }: PageBlocks): number {
  return blocks.reduce((sum, { size, isHidden }) => sum + (isHidden ? 0 : size), 0)
}

/** For each block, the probability that it is content; 0 for hidden text. */
export function blockProbabilities(
  model: BoostedTrees,
  { features, words, blocks }: ClassifiedPage,
): Float32Array {
  const columns = FEATURES.length
  return Float32Array.from(words, (_, at) =>
    blocks[at]?.isHidden === true
      ? 0
      : logistic(sumOfLeaves(model, features.subarray(at * columns, (at + 1) * columns))),
  )
}
