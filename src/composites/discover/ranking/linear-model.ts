/** A linear classifier over hashed text features, stored as sparse rows of quantized weights. */
import type { TextFeatures } from './text-features.ts'

export type LinearModel = {
  readonly classes: readonly string[]
  readonly bias: Float32Array
  /** Hashes of features in ascending order. The place of a hash is its row. */
  readonly hashes: Uint32Array
  /** Start of each row in `columns` and `weights`, with the end of the last one. */
  readonly starts: Uint32Array
  readonly columns: Uint16Array
  readonly weights: Int8Array
  /** Multiplies every weight. */
  readonly scale: number
}

export type LinearScores = {
  /** One for each class. */
  readonly logProbabilities: Float32Array
  /** Share of the features that the model has seen, by value. */
  readonly coverage: number
}

export function scoreLinear(model: LinearModel, { hashes, values }: TextFeatures): LinearScores {
  const logits = Float32Array.from(model.bias)
  let known = 0
  let total = 0
  hashes.forEach((hash, at) => {
    const value = values[at] ?? 0
    total += value
    const row = findRow(model.hashes, hash)
    if (row < 0) return
    known += value
    const end = model.starts[row + 1] ?? 0
    for (let cell = model.starts[row] ?? 0; cell < end; cell += 1) {
      const column = model.columns[cell] ?? 0
      logits[column] = (logits[column] ?? 0) + value * model.scale * (model.weights[cell] ?? 0)
    }
  })
  return { logProbabilities: logSoftmax(logits), coverage: total === 0 ? 0 : known / total }
}

function findRow(hashes: Uint32Array, wanted: number): number {
  let low = 0
  let high = hashes.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const hash = hashes[middle] ?? 0
    if (hash === wanted) return middle
    if (hash < wanted) low = middle + 1
    else high = middle - 1
  }
  return -1
}

function logSoftmax(logits: Float32Array): Float32Array {
  const most = logits.reduce((one, other) => Math.max(one, other), -Infinity)
  const sum = logits.reduce((total, logit) => total + Math.exp(logit - most), 0)
  return logits.map((logit) => logit - most - Math.log(sum))
}
