/** Makes a trained linear model small: keeps its largest weights, each in one byte. */
import type { LinearModel } from '../../src/composites/discover/ranking/linear-model.ts'

export type DenseModel = {
  readonly classes: readonly string[]
  readonly bias: Float32Array
  readonly rowOf: ReadonlyMap<number, number>
  readonly weights: Float32Array
  readonly width: number
}

const BUCKETS = 4_000
const MOST_BYTE = 127
/** Larger weights are clipped. */
const UNCLIPPED_SHARE = 0.999

export function pruneWeights(
  { classes, bias, rowOf, weights, width }: DenseModel,
  most: number,
): LinearModel {
  centreRows(weights, width)
  const threshold = findThreshold(weights, most)
  const scale = findUnclipped(weights, threshold) / MOST_BYTE
  const [hashes, starts, columns, rounded] = [[] as number[], [0], [] as number[], [] as number[]]
  for (const [hash, row] of [...rowOf].toSorted(([one], [other]) => one - other)) {
    const before = columns.length
    for (let c = 0; c < width; c += 1) {
      const weight = weights[row * width + c] as number
      if (Math.abs(weight) <= threshold) continue
      const byte = Math.max(-MOST_BYTE, Math.min(MOST_BYTE, Math.round(weight / scale)))
      if (byte === 0) continue
      columns.push(c)
      rounded.push(byte)
    }
    if (columns.length === before) continue
    hashes.push(hash)
    starts.push(columns.length)
  }
  return {
    classes,
    bias,
    hashes: Uint32Array.from(hashes),
    starts: Uint32Array.from(starts),
    columns: Uint16Array.from(columns),
    weights: Int8Array.from(rounded),
    scale,
  }
}

/** The mean of a row does not distinguish classes. */
function centreRows(weights: Float32Array, width: number): void {
  for (let from = 0; from < weights.length; from += width) {
    let mean = 0
    for (let c = 0; c < width; c += 1) mean += weights[from + c] as number
    mean /= width
    for (let c = 0; c < width; c += 1) weights[from + c] = (weights[from + c] as number) - mean
  }
}

/** The size that at most `most` weights exceed. */
function findThreshold(weights: Float32Array, most: number): number {
  const buckets = new Uint32Array(BUCKETS)
  let largest = 0
  for (const weight of weights) largest = Math.max(largest, Math.abs(weight))
  for (const weight of weights) {
    const at = Math.min(BUCKETS - 1, Math.floor((Math.abs(weight) / largest) * BUCKETS))
    buckets[at] = (buckets[at] as number) + 1
  }
  let count = 0
  for (let at = BUCKETS - 1; at > 0; at -= 1) {
    count += buckets[at] as number
    if (count > most) return ((at + 1) / BUCKETS) * largest
  }
  return largest / BUCKETS
}

function findUnclipped(weights: Float32Array, threshold: number): number {
  const kept = weights
    .filter((weight) => Math.abs(weight) >= threshold)
    .map(Math.abs)
    .toSorted()
  return kept[Math.floor(kept.length * UNCLIPPED_SHARE)] ?? 1
}
