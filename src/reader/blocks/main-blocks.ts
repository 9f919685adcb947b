import { unpackTrees, type BoostedTrees, type PackedTrees } from '../../lib/boosted-trees.ts'
import type { DeclaredYieldModel } from '../embedded/declared-yield.ts'
import { FEATURES } from './block-features.ts'
import { chooseBlocks, leaveOutIslands, leaveOutOutside, type Choice } from './choose-blocks.ts'
import { blockProbabilities, type ClassifiedPage, type ReadPage } from './classify-blocks.ts'
import model from './model.json' with { type: 'json' }
import { keepWholes, type Wholes } from './keep-wholes.ts'
import { estimateYield, yieldInputs, type ReadChoice, type YieldModel } from './page-yield.ts'

/** A model file, as `tools/reader/train-blocks.ts` writes it. */
export type PackedModel = {
  /** Names of the columns of `blocks`. */
  readonly features: readonly string[]
  readonly blocks: PackedTrees
  readonly yield: YieldModel
  readonly declared: DeclaredYieldModel
}

/** `blocks` returns the log-odds of a block being content. */
export type ReaderModel = {
  readonly blocks: BoostedTrees
  readonly yield: YieldModel
  readonly declared: DeclaredYieldModel
}

export type MainBlocks = Wholes & {
  /** Estimate of the word F1 of the chosen blocks, 0 to 1; 0 for a page without text. */
  readonly yield: number
}

export function unpackModel({ blocks, ...estimates }: PackedModel): ReaderModel {
  return { blocks: unpackTrees(blocks), yield: estimates.yield, declared: estimates.declared }
}

export const READER_MODEL = unpackModel(model)

/** Chooses the blocks that are the main content. */
export function chooseMainBlocks(page: ReadPage, trees: ReaderModel): MainBlocks {
  const choice = chooseContent(trees.blocks, page)
  if (choice.expectedF1 === 0) return { kept: choice.kept, figures: [], yield: 0 }
  const estimate = estimateYield(trees.yield, yieldInputs(choice))
  return { ...keepWholes(page, choice.kept), yield: Number(estimate.toFixed(2)) }
}

/** The blocks of greatest expected F1 without hidden text and menus; on an article without islands. */
export function chooseContent(trees: BoostedTrees, page: ClassifiedPage): ReadChoice {
  const { words } = page
  const probabilities = blockProbabilities(trees, page)
  const isProduct = page.features[DECLARES_PRODUCT] === 1
  return { ...chooseLikely(page, probabilities), words, probabilities, isProduct }
}

function chooseLikely(page: ClassifiedPage, probabilities: Float32Array): Choice {
  const { words } = page
  const choice = keepCode(page, chooseBlocks(probabilities, words))
  const isOutsideBlock = words.map((_, at) => isOutside(page, at))
  if (!isArticle(page)) return leaveOutOutside(choice, isOutsideBlock, words)
  const article = leaveOutOutside(
    leaveOutIslands(choice, probabilities, words),
    isOutsideBlock,
    words,
  )
  // A thread of a forum is mostly prose too, and its posts are comments.
  if (page.features[DECLARES_ARTICLE] !== 1) return article
  return leaveOutOutside(
    article,
    words.map((_, at) => isAppended(page, at, probabilities[at] ?? 0)),
    words,
  )
}

/** Keeps code between chosen blocks. Most lines of code are too short and strange to look like content. */
function keepCode(page: ClassifiedPage, choice: Choice): Choice {
  const kept = [...choice.kept]
  for (let at = 1; at < kept.length - 1; at += 1)
    if (readFeature(page, at, 'code') === 1 && kept[at - 1] === true && !isHidden(page, at))
      kept[at] ||= isFollowedByContent(page, choice, at)
  return { ...choice, kept }
}

function isHidden({ blocks }: ClassifiedPage, at: number): boolean {
  return blocks[at]?.isHidden === true
}

/** Whether the first block after the code is chosen. */
function isFollowedByContent(page: Features, { kept }: Choice, code: number): boolean {
  let after = code + 1
  while (after < kept.length && readFeature(page, after, 'code') === 1) after += 1
  return kept[after] === true
}

const COLUMNS = {
  nav: FEATURES.indexOf('in nav'),
  header: FEATURES.indexOf('in header'),
  footer: FEATURES.indexOf('in footer'),
  main: FEATURES.indexOf('in main'),
  article: FEATURES.indexOf('in article'),
  hidden: FEATURES.indexOf('in hidden'),
  code: FEATURES.indexOf('in pre'),
  linkDensity: FEATURES.indexOf('link density'),
  share: FEATURES.indexOf('class share'),
  newsletter: FEATURES.indexOf('class newsletter'),
  related: FEATURES.indexOf('class related'),
  comment: FEATURES.indexOf('class comment'),
}
/** Levels up to a box with such a class name. */
const NEAR = 2
const AROUND = 3
const CERTAIN = 0.8
const LINK_DENSITY = 0.5

type Features = Pick<ReadPage, 'features'>

function readFeature({ features }: Features, block: number, name: keyof typeof COLUMNS): number {
  return features[block * FEATURES.length + COLUMNS[name]] ?? 0
}

/** In a menu, in the footer or hidden; or links of the page header. */
function isOutside(page: Features, block: number): boolean {
  const read = (name: keyof typeof COLUMNS): number => readFeature(page, block, name)
  if (read('nav') === 1 || read('hidden') === 1) return true
  if (read('article') === 1) return false
  if (read('footer') === 1) return true
  return read('header') === 1 && read('main') !== 1 && read('linkDensity') > LINK_DENSITY
}

/** Named as something that sites append to articles. Comments and related articles may be content. */
function isAppended(page: Features, block: number, probability: number): boolean {
  const isWithin = (levels: number, names: readonly (keyof typeof COLUMNS)[]): boolean =>
    names.some((name) => readFeature(page, block, name) <= levels)
  return (
    isWithin(NEAR, ['share', 'newsletter']) ||
    (probability < CERTAIN && isWithin(AROUND, ['share', 'newsletter', 'related', 'comment']))
  )
}

const DECLARES_ARTICLE = FEATURES.indexOf('page declares article')
const DECLARES_PRODUCT = FEATURES.indexOf('page declares product')
const PROSE_SHARE = FEATURES.indexOf('page prose share')

/** A page that declares itself an article, or whose text is mostly prose. All rows share these features. */
function isArticle({ features }: Features): boolean {
  return features[DECLARES_ARTICLE] === 1 || (features[PROSE_SHARE] ?? 0) > 0.5
}
