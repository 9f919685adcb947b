/** Trains the linear model of the action search: softmax over classes, several right classes for an intent. */
import type { LinearModel } from '../../src/composites/discover/ranking/linear-model.ts'
import type { TextFeatures } from '../../src/composites/discover/ranking/text-features.ts'
import { pruneWeights } from './prune-weights.ts'
import { createRandom, shuffle } from './random.ts'

export type Example = {
  readonly features: TextFeatures
  /** Indexes of the classes that are right. */
  readonly right: readonly number[]
  readonly weight: number
  /** A copy with typing errors shares the features of its original. */
  readonly isCopy: boolean
}

export type LinearSettings = {
  readonly epochs: number
  readonly learningRate: number
  /** The most weights that the model may have. */
  readonly mostWeights: number
}

const L2 = 2e-6
const LEAST_EXAMPLES_OF_FEATURE = 2
/** Smaller gradients of a class do not change its weights. */
const LEAST_GRADIENT = 5e-4

type Training = {
  readonly weights: Float32Array
  readonly squares: Float32Array
  readonly bias: Float32Array
  readonly biasSquares: Float32Array
  readonly width: number
  readonly learningRate: number
}

export function trainLinear(
  examples: readonly Example[],
  classes: readonly string[],
  { epochs, learningRate, mostWeights }: LinearSettings,
): LinearModel {
  const rowOf = numberFeatures(examples)
  const width = classes.length
  const training: Training = {
    weights: new Float32Array(rowOf.size * width),
    squares: new Float32Array(rowOf.size * width).fill(1e-8),
    bias: new Float32Array(width),
    biasSquares: new Float32Array(width).fill(1e-8),
    width,
    learningRate,
  }
  const rowsOf = examples.map(({ features }) =>
    Int32Array.from(features.hashes, (hash) => rowOf.get(hash) ?? -1),
  )
  const random = createRandom(7)
  const order = examples.map((_, at) => at)
  const gradient = new Float32Array(width)
  const logits = new Float32Array(width)
  for (let epoch = 0; epoch < epochs; epoch += 1) {
    shuffle(order, random)
    for (const at of order) {
      const example = examples[at] as Example
      const rows = rowsOf[at] as Int32Array
      computeLogits(training, example, rows, logits)
      computeGradient(logits, example, gradient)
      update(training, example, rows, gradient)
    }
  }
  return pruneWeights({ ...training, classes, rowOf }, mostWeights)
}

function computeLogits(
  { weights, bias, width }: Training,
  { features: { values } }: Example,
  rows: Int32Array,
  logits: Float32Array,
): void {
  logits.set(bias)
  for (let f = 0; f < rows.length; f += 1) {
    const row = rows[f] as number
    if (row < 0) continue
    const value = values[f] as number
    const from = row * width
    for (let c = 0; c < width; c += 1)
      logits[c] = (logits[c] as number) + value * (weights[from + c] as number)
  }
}

/** Raises the probability of all right classes together, and half of it in equal shares. */
function computeGradient(
  logits: Float32Array,
  { right, weight }: Example,
  gradient: Float32Array,
): void {
  let most = -Infinity
  for (const logit of logits) most = Math.max(most, logit)
  let sum = 0
  for (let c = 0; c < logits.length; c += 1) {
    const value = Math.exp((logits[c] as number) - most)
    gradient[c] = value
    sum += value
  }
  let ofRight = 0
  for (const c of right) ofRight += gradient[c] as number
  const shares = right.map((c) => (0.5 * (gradient[c] as number)) / ofRight + 0.5 / right.length)
  for (let c = 0; c < logits.length; c += 1) gradient[c] = (-weight * (gradient[c] as number)) / sum
  right.forEach((c, at) => {
    gradient[c] = (gradient[c] as number) + weight * (shares[at] ?? 0)
  })
}

/** One step of AdaGrad. */
function update(
  { weights, squares, bias, biasSquares, width, learningRate }: Training,
  { features: { values } }: Example,
  rows: Int32Array,
  gradient: Float32Array,
): void {
  const active: number[] = []
  gradient.forEach((g, c) => {
    if (Math.abs(g) < LEAST_GRADIENT) return
    active.push(c)
    biasSquares[c] = (biasSquares[c] as number) + g * g
    bias[c] = (bias[c] as number) + (learningRate * g) / Math.sqrt(biasSquares[c])
  })
  for (let f = 0; f < rows.length; f += 1) {
    const row = rows[f] as number
    if (row < 0) continue
    const value = values[f] as number
    for (const c of active) {
      const cell = row * width + c
      const g = (gradient[c] as number) * value - L2 * (weights[cell] as number)
      squares[cell] = (squares[cell] as number) + g * g
      weights[cell] = (weights[cell] as number) + (learningRate * g) / Math.sqrt(squares[cell])
    }
  }
}

/** Numbers the features that at least two examples have, without copies. */
function numberFeatures(examples: readonly Example[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>()
  for (const { features } of examples.filter(({ isCopy }) => !isCopy))
    for (const hash of features.hashes) counts.set(hash, (counts.get(hash) ?? 0) + 1)
  const kept = [...counts].filter(([, count]) => count >= LEAST_EXAMPLES_OF_FEATURE)
  return new Map(kept.map(([hash], row) => [hash, row]))
}
