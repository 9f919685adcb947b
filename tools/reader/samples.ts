import { goldPages, wordsOf, type GoldPage } from '../../bench/pages/gold.ts'
import { readPageBlocks } from '../../src/reader/blocks/classify-blocks.ts'
import { readPageFacts } from '../../src/reader/blocks/page-facts.ts'
import { bodyOf, parseDocument } from '../../src/reader/extract/dom.ts'
import { revealContent } from '../../src/reader/extract/reveal.ts'

/** A page of a gold set: features, labels and weights of its text blocks. */
export type Sample = {
  readonly page: GoldPage
  readonly texts: readonly string[]
  readonly words: readonly number[]
  readonly features: Float32Array
  /** Share of each block's text that belongs to the content. */
  readonly labels: Float32Array
  /** 0 for a block without a label. */
  readonly weights: Float32Array
}

/** Weight of a block that a snippet decides, against one that a whole gold text decides. */
const SNIPPET_WEIGHT = 2

/** The pages of both gold sets, without their HTML. */
export function readSamples(folder: string, step: number): Sample[] {
  return (['wcxb-dev', 'trafilatura'] as const).flatMap((set) =>
    Array.from(goldPages(folder, set, step), readSample),
  )
}

function readSample(page: GoldPage): Sample {
  const document = parseDocument(page.html)
  const body = bodyOf(document)
  const facts = readPageFacts(document, page.url)
  revealContent(document, body)
  const { blocks, words, features } = readPageBlocks(body, facts)
  const texts = blocks.map(({ text }) => text)
  const labels =
    page.gold === undefined
      ? labelBySnippets(page, texts, words)
      : labelByGold(page.gold, texts, words)
  return { page: { ...page, html: '' }, texts, words, features, ...labels }
}

type Labels = Pick<Sample, 'labels' | 'weights'>

/** Labels a block by the share of its word triples that the gold text contains. */
function labelByGold(gold: string, texts: readonly string[], counts: readonly number[]): Labels {
  const all = wordsOf(gold)
  const triples = new Set(triplesOf(all))
  const joined = ` ${all.join(' ')} `
  const labels = Float32Array.from(texts, (text) => {
    const words = wordsOf(text)
    if (words.length === 0) return 0
    if (words.length < 3) return joined.includes(` ${words.join(' ')} `) ? 1 : 0
    const own = triplesOf(words)
    return own.filter((triple) => triples.has(triple)).length / own.length
  })
  return { labels, weights: Float32Array.from(counts, (count) => Math.log1p(count)) }
}

function triplesOf(words: readonly string[]): string[] {
  return words.slice(2).map((word, at) => `${words[at]} ${words[at + 1]} ${word}`)
}

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
