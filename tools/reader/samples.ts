import { goldPages, wordsOf, type GoldPage } from '../../bench/pages/gold.ts'
import { readPageBlocks, type ClassifiedPage } from '../../src/reader/blocks/classify-blocks.ts'
import { readPageFacts } from '../../src/reader/blocks/page-facts.ts'
import { bodyOf, parseDocument } from '../../src/reader/extract/dom.ts'
import { readDeclaredSamples, type DeclaredSample } from './declared-samples.ts'
import { labelByGold } from './gold-labels.ts'
import { findHiddenText } from '../../src/reader/hidden/hidden-text.ts'
import { revealContent } from '../../src/reader/extract/reveal.ts'

/** A page of a gold set: features, labels and weights of its text blocks. */
export type Sample = {
  readonly page: GoldPage
  readonly texts: readonly string[]
  readonly words: readonly number[]
  readonly features: Float32Array
  readonly blocks: ClassifiedPage['blocks']
  /** Share of each block's text that belongs to the content. */
  readonly labels: Float32Array
  /** 0 for a block without a label. */
  readonly weights: Float32Array
  /** Content that the page declares for machines; empty without a gold text. */
  readonly declared: readonly DeclaredSample[]
}

/** Weight of a block that a snippet decides, against one that a whole gold text decides. */
const SNIPPET_WEIGHT = 2

/** The pages of both gold sets, without their HTML. */
export async function readSamples(folder: string, step: number): Promise<Sample[]> {
  const samples: Sample[] = []
  for (const set of ['wcxb-dev', 'trafilatura'] as const)
    for await (const page of goldPages(folder, set, step)) samples.push(readSample(page))
  return samples
}

/** The blocks of a page with their labels. */
export function readSample(page: GoldPage): Sample {
  const document = parseDocument(page.html)
  const body = bodyOf(document)
  const facts = readPageFacts(document, page.url)
  revealContent(document, body)
  const hasScripts = document.querySelector('script') !== null
  const { blocks, words, features } = readPageBlocks(
    body,
    facts,
    findHiddenText(document, { hasScripts }),
  )
  const texts = blocks.map(({ text }) => text)
  const labels =
    page.gold === undefined
      ? labelBySnippets(page, texts, words)
      : {
          labels: labelByGold(page.gold, texts),
          weights: Float32Array.from(words, (count) => Math.log1p(count)),
        }
  return {
    page: { ...page, html: '' },
    texts,
    words,
    features,
    blocks: blocks.map(({ isHidden }) => ({ isHidden })),
    ...labels,
    declared: readDeclaredSamples(page),
  }
}

type Labels = Pick<Sample, 'labels' | 'weights'>

/** Labels the blocks that contain a required or a forbidden snippet, or stand in one. */
function labelBySnippets(
  { with: required, without: forbidden }: GoldPage,
  texts: readonly string[],
  counts: readonly number[],
): Labels {
  const phrase = (text: string): string => ` ${wordsOf(text).join(' ')} `
  const [right, wrong] = [required.map(phrase), forbidden.map(phrase)]
  const labels = new Float32Array(texts.length)
  const weights = new Float32Array(texts.length)
  texts.forEach((text, at) => {
    const own = phrase(text)
    const matches = (snippets: readonly string[]): boolean =>
      snippets.some(
        (snippet) => own.includes(snippet) || (own.length > 12 && snippet.includes(own)),
      )
    const isRight = matches(right)
    if (isRight === matches(wrong)) return
    labels[at] = isRight ? 1 : 0
    weights[at] = SNIPPET_WEIGHT * Math.log1p(counts[at] ?? 0)
  })
  return { labels, weights }
}
