export type Choice = {
  /** One for each block. */
  readonly kept: readonly boolean[]
  /** 0 to 1; 0 without any block. */
  readonly expectedF1: number
}

/**
 * The choice of blocks that makes the expected word F1 of a page greatest. Blocks are taken in the
 * order of their probability: k blocks of n words each have the expected F1
 * 2·Σ(p·n) / (Σn + Σ(p·n) over all blocks), with the other sums over the k blocks.
 */
export function chooseBlocks(probabilities: ArrayLike<number>, words: readonly number[]): Choice {
  const probability = (at: number): number => probabilities[at] ?? 0
  const order = words
    .map((_, at) => at)
    .toSorted((one, other) => probability(other) - probability(one))
  const all = words.reduce((sum, count, at) => sum + count * probability(at), 0)
  let taken = 0
  let right = 0
  let expectedF1 = 0
  let count = 0
  order.forEach((at, place) => {
    taken += words[at] ?? 0
    right += (words[at] ?? 0) * probability(at)
    const f1 = (2 * right) / Math.max(1e-9, taken + all)
    if (f1 <= expectedF1) return
    expectedF1 = f1
    count = place + 1
  })
  const kept = words.map(() => false)
  for (const at of order.slice(0, count)) kept[at] = true
  return { kept, expectedF1 }
}

/** Most blocks of an island, and the probability below which it is left out. */
const ISLAND_BLOCKS = 3
const ISLAND_PROBABILITY = 0.6

/**
 * Leaves out islands of an article: a few uncertain blocks between blocks that are left out, such as
 * a teaser in a sidebar. The text of an article stands together. Keeps the choice if nothing else
 * would remain.
 */
export function leaveOutIslands(
  choice: Choice,
  probabilities: ArrayLike<number>,
  words: readonly number[],
): Choice {
  const kept = [...choice.kept]
  for (let from = 0; from < kept.length; from += 1) {
    if (choice.kept[from] !== true) continue
    let to = from
    let [right, taken] = [0, 0]
    for (; choice.kept[to] === true; to += 1) {
      right += (words[to] ?? 0) * (probabilities[to] ?? 0)
      taken += words[to] ?? 0
    }
    if (to - from <= ISLAND_BLOCKS && right < taken * ISLAND_PROBABILITY) kept.fill(false, from, to)
    from = to
  }
  return kept.includes(true) ? { ...choice, kept } : choice
}

/** Share of the chosen words. */
const MOST_OUTSIDE = 0.5

/** Leaves out hidden text, menus and footers, unless they are most of the choice. */
export function leaveOutOutside(
  choice: Choice,
  isOutside: readonly boolean[],
  words: readonly number[],
): Choice {
  const sum = (isCounted: (at: number) => boolean): number =>
    words.reduce(
      (total, count, at) => total + (choice.kept[at] === true && isCounted(at) ? count : 0),
      0,
    )
  const all = sum(() => true)
  const outside = sum((at) => isOutside[at] === true)
  if (outside === 0 || outside > all * MOST_OUTSIDE) return choice
  return { ...choice, kept: choice.kept.map((isKept, at) => isKept && isOutside[at] !== true) }
}
