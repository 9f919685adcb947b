/** Trains gradient-boosted trees on binned features, for `src/lib/boosted-trees.ts`. Deterministic for equal input. */
import type { BoostedTrees } from '../../src/lib/boosted-trees.ts'

export type BoostSettings = {
  readonly trees: number
  readonly depth: number
  readonly learningRate: number
  /** Least sum of second derivatives in a leaf. */
  readonly leastWeight: number
  /** L2 penalty of a leaf's value. */
  readonly lambda: number
  readonly loss: 'logistic' | 'squared'
}

export type Rows = {
  readonly columns: number
  /** Row-major. */
  readonly values: Float32Array
  /** 0 to 1. */
  readonly targets: Float32Array
  readonly weights?: Float32Array
}

const BINS = 64

type Binned = { readonly bins: Uint8Array; readonly edges: readonly Float32Array[] }

export function boost(rows: Rows, settings: BoostSettings): BoostedTrees {
  const count = rows.targets.length
  const { bins, edges } = binRows(rows, count)
  const weights = rows.weights ?? new Float32Array(count).fill(1)
  const base = baseValue(rows.targets, weights, settings.loss)
  const scores = new Float64Array(count).fill(base)
  const gradients = new Float64Array(count)
  const hessians = new Float64Array(count)
  const model = {
    base,
    roots: [] as number[],
    feature: [] as number[],
    threshold: [] as number[],
    left: [] as number[],
  }
  for (let tree = 0; tree < settings.trees; tree += 1) {
    derive(rows.targets, weights, scores, settings.loss, gradients, hessians)
    growTree({ rows, bins, edges, gradients, hessians, settings }, model, scores)
  }
  return model
}

function baseValue(targets: Float32Array, weights: Float32Array, loss: BoostSettings['loss']) {
  let sum = 0
  let total = 0
  targets.forEach((target, row) => {
    sum += target * (weights[row] ?? 1)
    total += weights[row] ?? 1
  })
  const mean = Math.min(0.999, Math.max(0.001, sum / total))
  return loss === 'logistic' ? Math.log(mean / (1 - mean)) : sum / total
}

function derive(
  targets: Float32Array,
  weights: Float32Array,
  scores: Float64Array,
  loss: BoostSettings['loss'],
  gradients: Float64Array,
  hessians: Float64Array,
): void {
  for (let row = 0; row < targets.length; row += 1) {
    const weight = weights[row] ?? 1
    const score = scores[row] ?? 0
    const expected = loss === 'logistic' ? 1 / (1 + Math.exp(-score)) : score
    gradients[row] = weight * ((targets[row] ?? 0) - expected)
    hessians[row] = weight * (loss === 'logistic' ? Math.max(1e-6, expected * (1 - expected)) : 1)
  }
}

/** Quantile bins for each column. */
function binRows({ columns, values }: Rows, count: number): Binned {
  const bins = new Uint8Array(count * columns)
  const edges: Float32Array[] = []
  for (let column = 0; column < columns; column += 1) {
    const sorted = new Float32Array(count)
    for (let row = 0; row < count; row += 1) sorted[row] = values[row * columns + column] ?? 0
    sorted.sort()
    const unique: number[] = []
    for (let bin = 1; bin < BINS; bin += 1) {
      const at = sorted[Math.floor((bin * count) / BINS)] ?? 0
      const before = sorted[Math.max(0, Math.floor((bin * count) / BINS) - 1)] ?? 0
      const edge = (at + before) / 2
      if (unique.length === 0 || edge > (unique.at(-1) ?? 0)) unique.push(edge)
    }
    // Rare values of a mostly constant column still get a bin of their own.
    const [least, most] = [sorted[0] ?? 0, sorted[count - 1] ?? 0]
    if (unique.length > 0 && (unique.at(-1) ?? 0) >= most) unique.pop()
    if (unique.length === 0 && most > least) unique.push((least + most) / 2)
    const column_edges = Float32Array.from(unique)
    edges.push(column_edges)
    for (let row = 0; row < count; row += 1)
      bins[row * columns + column] = binOf(column_edges, values[row * columns + column] ?? 0)
  }
  return { bins, edges }
}

/** Number of edges below the value. */
function binOf(edges: Float32Array, value: number): number {
  let low = 0
  let high = edges.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (value <= (edges[middle] ?? 0)) high = middle
    else low = middle + 1
  }
  return low
}

type Growing = {
  readonly rows: Rows
  readonly bins: Uint8Array
  readonly edges: readonly Float32Array[]
  readonly gradients: Float64Array
  readonly hessians: Float64Array
  readonly settings: BoostSettings
}
type Model = { roots: number[]; feature: number[]; threshold: number[]; left: number[] }

function growTree(growing: Growing, model: Model, scores: Float64Array): void {
  const { settings } = growing
  const root = model.feature.length
  model.roots.push(root)
  pushNode(model)
  const all = Uint32Array.from({ length: growing.rows.targets.length }, (_, row) => row)
  const open: { node: number; members: Uint32Array; depth: number }[] = [
    { node: root, members: all, depth: 0 },
  ]
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    const { node, members, depth } = next
    const split = depth < settings.depth ? bestSplit(growing, members) : null
    if (split === null) {
      const value = leafValue(growing, members) * settings.learningRate
      model.threshold[node] = value
      for (const row of members) scores[row] = (scores[row] ?? 0) + value
      continue
    }
    const { column, bin } = split
    const isLeft = (row: number): boolean =>
      (growing.bins[row * growing.rows.columns + column] ?? 0) <= bin
    const leftNode = model.feature.length
    pushNode(model)
    pushNode(model)
    model.feature[node] = column
    model.threshold[node] = growing.edges[column]?.[bin] ?? 0
    model.left[node] = leftNode
    open.push(
      { node: leftNode, members: members.filter(isLeft), depth: depth + 1 },
      { node: leftNode + 1, members: members.filter((row) => !isLeft(row)), depth: depth + 1 },
    )
  }
}

function pushNode(model: Model): void {
  model.feature.push(-1)
  model.threshold.push(0)
  model.left.push(-1)
}

function leafValue({ gradients, hessians, settings }: Growing, members: Uint32Array): number {
  let gradient = 0
  let hessian = settings.lambda
  for (const row of members) {
    gradient += gradients[row] ?? 0
    hessian += hessians[row] ?? 0
  }
  return gradient / hessian
}

function bestSplit(
  { rows: { columns }, bins, edges, gradients, hessians, settings }: Growing,
  members: Uint32Array,
): { readonly column: number; readonly bin: number } | null {
  const sums = new Float64Array(columns * BINS * 2)
  let gradient = 0
  let hessian = 0
  for (const row of members) {
    const [g, h] = [gradients[row] ?? 0, hessians[row] ?? 0]
    gradient += g
    hessian += h
    const from = row * columns
    for (let column = 0; column < columns; column += 1) {
      const at = (column * BINS + (bins[from + column] ?? 0)) * 2
      sums[at] = (sums[at] ?? 0) + g
      sums[at + 1] = (sums[at + 1] ?? 0) + h
    }
  }
  const { lambda, leastWeight } = settings
  const whole = (gradient * gradient) / (hessian + lambda)
  let best: { column: number; bin: number } | null = null
  let bestGain = 1e-6
  for (let column = 0; column < columns; column += 1) {
    let [leftGradient, leftHessian] = [0, 0]
    const splits = edges[column]?.length ?? 0
    for (let bin = 0; bin < splits; bin += 1) {
      const at = (column * BINS + bin) * 2
      leftGradient += sums[at] ?? 0
      leftHessian += sums[at + 1] ?? 0
      const rightHessian = hessian - leftHessian
      if (leftHessian < leastWeight || rightHessian < leastWeight) continue
      const rightGradient = gradient - leftGradient
      const gain =
        (leftGradient * leftGradient) / (leftHessian + lambda) +
        (rightGradient * rightGradient) / (rightHessian + lambda) -
        whole
      if (gain > bestGain) {
        bestGain = gain
        best = { column, bin }
      }
    }
  }
  return best
}
