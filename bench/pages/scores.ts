import { mean, wordF1, type GoldPage } from './gold.ts'

export type YieldPair = { readonly f1: number; readonly estimate: number }

/** A page below this F1 is bad. */
const BAD_F1 = 0.5

/** Rank correlation of the estimates with the measured F1. */
export function spearman(pairs: readonly YieldPair[]): number {
  const one = ranks(pairs.map(({ f1 }) => f1))
  const other = ranks(pairs.map(({ estimate }) => estimate))
  const [meanOne, meanOther] = [mean(one), mean(other)]
  const covariance = mean(one.map((rank, at) => (rank - meanOne) * ((other[at] ?? 0) - meanOther)))
  const deviation = (list: readonly number[], center: number): number =>
    Math.sqrt(mean(list.map((rank) => (rank - center) ** 2)))
  return covariance / (deviation(one, meanOne) * deviation(other, meanOther))
}

/** Ranks from 0; equal values share their mean rank. */
function ranks(values: readonly number[]): number[] {
  const order = values.map((_, at) => at).toSorted((a, b) => (values[a] ?? 0) - (values[b] ?? 0))
  const found = values.map(() => 0)
  for (let from = 0; from < order.length;) {
    let to = from
    while (to + 1 < order.length && values[order[to + 1] ?? 0] === values[order[from] ?? 0]) to += 1
    for (let at = from; at <= to; at += 1) found[order[at] ?? 0] = (from + to) / 2
    from = to + 1
  }
  return found
}

/** Probability that a bad page has a lower estimate than a good one. */
export function auroc(pairs: readonly YieldPair[]): number {
  const bad = pairs.filter(({ f1 }) => f1 < BAD_F1)
  const good = pairs.filter(({ f1 }) => f1 >= BAD_F1)
  const wins = bad.map((one) =>
    mean(
      good.map(({ estimate }) =>
        estimate > one.estimate ? 1 : estimate === one.estimate ? 0.5 : 0,
      ),
    ),
  )
  return mean(wins)
}

/** Share of the bad pages whose estimate is so low that a browser reads them too. */
export function caughtByGate(pairs: readonly YieldPair[], gate: number): number {
  const bad = pairs.filter(({ f1 }) => f1 < BAD_F1)
  return bad.filter(({ estimate }) => estimate < gate).length / Math.max(1, bad.length)
}

/** Mean distance between estimate and measured F1. */
export function meanError(pairs: readonly YieldPair[]): number {
  return mean(pairs.map(({ f1, estimate }) => Math.abs(f1 - estimate)))
}

export type Segments = { readonly found: number; readonly missed: number; readonly wrong: number }

/**
 * Counts the required and forbidden snippets in the text of a page as the set's own evaluation does:
 * white space is collapsed, and a snippet may begin or end inside a word.
 */
export function countSegments(page: GoldPage, text: string): Segments {
  const joined = comparable(text)
  const count = (snippets: readonly string[]): number =>
    snippets.filter((snippet) => joined.includes(comparable(snippet))).length
  const found = count(page.with)
  return { found, missed: page.with.length - found, wrong: count(page.without) }
}

/** Without soft hyphens, which readers drop. */
function comparable(text: string): string {
  return text.replaceAll('\u00AD', '').replaceAll(/\s+/g, ' ').trim()
}

/** Precision, recall and F1 over all segments of a set. */
export function segmentScores(pages: readonly Segments[]) {
  const sum = (read: (page: Segments) => number): number =>
    pages.reduce((total, page) => total + read(page), 0)
  const found = sum((page) => page.found)
  const missed = sum((page) => page.missed)
  const wrong = sum((page) => page.wrong)
  return {
    precision: found / (found + wrong),
    recall: found / (found + missed),
    f1: (2 * found) / (2 * found + missed + wrong),
  }
}

const SHINGLE_WORDS = 4

/** F1 of the runs of four words, 0 to 1: unlike the words alone, they show whether the order is right. */
export function shingleF1(expected: readonly string[], found: readonly string[]): number {
  const shingles = (words: readonly string[]): string[] =>
    words
      .slice(0, Math.max(1, words.length - SHINGLE_WORDS + 1))
      .map((_, at) => words.slice(at, at + SHINGLE_WORDS).join(' '))
  return wordF1(shingles(expected), shingles(found))
}
