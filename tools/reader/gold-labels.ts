import { wordsOf } from '../../bench/pages/gold.ts'

const RUN = 3
/** Blocks on either side that are the context of a block. */
const REACH = 6
const MOST_WORDS = 30
/** A block of one or two words needs this much content around it to count fully. */
const LEAST_CONTEXT = 0.15

/**
 * Labels a block by the share of its word triples that the gold text contains, 0 to 1. Of blocks
 * with the same text, only as many count as the gold text has: those with most content around them.
 */
export function labelByGold(gold: string, texts: readonly string[]): Float32Array {
  const all = wordsOf(gold)
  const runs = [1, 2, RUN].map((length) => countEach(runsOf(all, length)))
  const blocks = texts.map(wordsOf)
  const shares = blocks.map((words) => shareIn(runs, words))
  const contexts = contextsOf(blocks, shares)
  const labels = Float32Array.from(shares)
  for (const places of groupByText(blocks)) {
    const first = places[0] ?? 0
    const words = blocks[first] ?? []
    if ((shares[first] ?? 0) < 0.5) continue
    const byContext = places.toSorted((one, other) => (contexts[other] ?? 0) - (contexts[one] ?? 0))
    for (const at of byContext.slice(occurrences(runs, words))) labels[at] = 0
    if (words.length >= RUN) continue
    for (const at of places)
      if ((contexts[at] ?? 0) < LEAST_CONTEXT)
        labels[at] = Math.min(labels[at] ?? 0, 2 * (contexts[at] ?? 0))
  }
  return labels
}

type Counts = ReadonlyMap<string, number>

/** Number of times that each run of 1, 2 and 3 words appears in the gold text. */
type Runs = readonly Counts[]

function countsFor(runs: Runs, words: readonly string[]): number[] {
  const length = Math.min(RUN, words.length)
  return runsOf(words, length).map((run) => runs[length - 1]?.get(run) ?? 0)
}

function shareIn(runs: Runs, words: readonly string[]): number {
  if (words.length === 0) return 0
  const counts = countsFor(runs, words)
  return counts.filter((count) => count > 0).length / counts.length
}

/** How often the gold text has a text, most of which it has. */
function occurrences(runs: Runs, words: readonly string[]): number {
  const counts = countsFor(runs, words).toSorted((one, other) => one - other)
  const least = counts[0] ?? 0
  return least > 0 ? least : Math.max(1, counts[counts.length >> 1] ?? 0)
}

/** For each block, the share of content among the blocks near it; long and near blocks count most. */
function contextsOf(blocks: readonly (readonly string[])[], shares: readonly number[]): number[] {
  return blocks.map((_, at) => {
    let [content, total] = [0, 0]
    for (let near = Math.max(0, at - REACH); near <= at + REACH; near += 1) {
      const { length } = blocks[near] ?? []
      if (near === at || near >= blocks.length) continue
      const weight =
        ((length >= RUN ? Math.min(MOST_WORDS, length) : 0) + 0.2) / (1 + Math.abs(near - at))
      content += weight * (shares[near] ?? 0)
      total += weight
    }
    return total === 0 ? 0 : content / total
  })
}

function groupByText(blocks: readonly (readonly string[])[]): number[][] {
  const groups = new Map<string, number[]>()
  blocks.forEach((words, at) => {
    const text = words.join(' ')
    const places = groups.get(text)
    if (places === undefined) groups.set(text, [at])
    else places.push(at)
  })
  return [...groups.values()]
}

function runsOf(words: readonly string[], length: number): string[] {
  return words.slice(length - 1).map((_, at) => words.slice(at, at + length).join(' '))
}

function countEach(keys: readonly string[]): Counts {
  const counts = new Map<string, number>()
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  return counts
}
