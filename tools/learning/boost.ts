/** Trains gradient-boosted trees on binned features, for `src/lib/boosted-trees.ts`. Deterministic for equal input. */
import type { BoostedTrees } from '../../src/lib/boosted-trees.ts'
import { BINS, binRows, type Rows } from './bins.ts'

export type BoostSettings = {
  readonly trees: number
  readonly depth: number
  readonly learningRate: number
  /** Least sum of second derivatives in a leaf. */
  readonly leastWeight: number
  /** L2 penalty of a leaf's value. */
  readonly lambda: number
  readonly loss: 'logistic' | 'squared'
  /** Share of the columns that each tree may use. Default 1. */
  readonly columnShare?: number
  /** Share of the rows that each tree learns from. Default 1. */
  readonly rowShare?: number
}

const SEED = 20_261_124

type Growing = {
  readonly columns: number
  /** The columns that the tree may use. */
  readonly sampled: Uint16Array
  readonly bins: Uint8Array
  readonly edges: readonly Float32Array[]
  readonly gradients: Float64Array
  readonly hessians: Float64Array
  readonly settings: BoostSettings
}
type Model = {
  base: number
  roots: number[]
  feature: number[]
  threshold: number[]
  left: number[]
}
type Split = { readonly column: number; readonly bin: number }
/** Sums of gradients and hessians for each sampled column and bin, interleaved. */
type Histogram = Float64Array
type OpenNode = {
  readonly node: number
  readonly members: Uint32Array
  readonly histogram: Histogram
  readonly depth: number
}

export function boost(rows: Rows, settings: BoostSettings): BoostedTrees {
  const count = rows.targets.length
  const { bins, edges } = binRows(rows, count)
  const weights = rows.weights ?? new Float32Array(count).fill(1)
  const base = baseValue(rows.targets, weights, settings.loss)
  const scores = new Float64Array(count).fill(base)
  const gradients = new Float64Array(count)
  const hessians = new Float64Array(count)
  const model: Model = { base, roots: [], feature: [], threshold: [], left: [] }
  const random = createRandom(SEED)
  for (let tree = 0; tree < settings.trees; tree += 1) {
    derive(rows.targets, weights, scores, settings.loss, gradients, hessians)
    const sampled = Uint16Array.from(sample(rows.columns, settings.columnShare ?? 1, random))
    const members = Uint32Array.from(sample(count, settings.rowShare ?? 1, random))
    const growing = {
      columns: rows.columns,
      sampled,
      bins,
      edges,
      gradients,
      hessians,
      settings,
    }
    const root = model.feature.length
    const splitBins = growTree(growing, model, members)
    addTree(growing, model, root, splitBins, scores)
  }
  return model
}

/** Values from 0 to 1, equal for equal seeds (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

function sample(count: number, share: number, random: () => number): number[] {
  const some: number[] = []
  for (let at = 0; at < count; at += 1) if (share >= 1 || random() < share) some.push(at)
  return some.length === 0 ? [0] : some
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

/** Appends a tree to the model. Returns the bin of each node's split, by node after the root. */
function growTree(growing: Growing, model: Model, members: Uint32Array): number[] {
  const { settings, edges } = growing
  const root = model.feature.length
  const splitBins: number[] = []
  model.roots.push(root)
  pushNode(model)
  const open: OpenNode[] = [
    { node: root, members, histogram: histogramOf(growing, members), depth: 0 },
  ]
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    const { node, depth } = next
    const split = depth < settings.depth ? bestSplit(growing, next.histogram) : null
    if (split === null) {
      model.threshold[node] = leafValue(next.histogram, settings)
      continue
    }
    const { column, bin } = split
    const [left, right] = splitMembers(growing, next.members, split)
    const leftNode = model.feature.length
    pushNode(model)
    pushNode(model)
    model.feature[node] = column
    model.threshold[node] = edges[column]?.[bin] ?? 0
    model.left[node] = leftNode
    splitBins[node - root] = bin
    const [leftSums, rightSums] = childHistograms(growing, next.histogram, left, right)
    open.push(
      { node: leftNode, members: left, histogram: leftSums, depth: depth + 1 },
      { node: leftNode + 1, members: right, histogram: rightSums, depth: depth + 1 },
    )
  }
  return splitBins
}

/** The members up to the bin, and the others. */
function splitMembers(
  { bins, columns }: Growing,
  members: Uint32Array,
  { column, bin }: Split,
): readonly [Uint32Array, Uint32Array] {
  const left = new Uint32Array(members.length)
  const right = new Uint32Array(members.length)
  let [leftCount, rightCount] = [0, 0]
  for (const row of members) {
    if ((bins[row * columns + column] ?? 0) <= bin) left[leftCount++] = row
    else right[rightCount++] = row
  }
  return [left.subarray(0, leftCount), right.subarray(0, rightCount)]
}

function pushNode(model: Model): void {
  model.feature.push(-1)
  model.threshold.push(0)
  model.left.push(-1)
}

/** Adds the new tree's leaf to the score of each row, including rows that the tree did not learn from. */
function addTree(
  { bins, columns }: Growing,
  { feature, threshold, left }: Model,
  root: number,
  splitBins: readonly number[],
  scores: Float64Array,
): void {
  for (let row = 0; row < scores.length; row += 1) {
    let node = root
    for (let column = feature[node] ?? -1; column >= 0; column = feature[node] ?? -1)
      node =
        (left[node] ?? 0) +
        ((bins[row * columns + column] ?? 0) <= (splitBins[node - root] ?? 0) ? 0 : 1)
    scores[row] = (scores[row] ?? 0) + (threshold[node] ?? 0)
  }
}

function histogramOf(growing: Growing, members: Uint32Array): Histogram {
  const { sampled, bins, columns, gradients, hessians } = growing
  const sums = new Float64Array(sampled.length * BINS * 2)
  for (const row of members) {
    const gradient = gradients[row] ?? 0
    const hessian = hessians[row] ?? 0
    const from = row * columns
    for (let place = 0; place < sampled.length; place += 1) {
      const at = (place * BINS + (bins[from + (sampled[place] ?? 0)] ?? 0)) * 2
      sums[at] = (sums[at] ?? 0) + gradient
      sums[at + 1] = (sums[at + 1] ?? 0) + hessian
    }
  }
  return sums
}

/** Counts the smaller child; the other one is the difference from the parent. */
function childHistograms(
  growing: Growing,
  parent: Histogram,
  left: Uint32Array,
  right: Uint32Array,
): readonly [Histogram, Histogram] {
  const isLeftSmaller = left.length <= right.length
  const smaller = histogramOf(growing, isLeftSmaller ? left : right)
  const larger = parent.map((sum, at) => sum - (smaller[at] ?? 0))
  return isLeftSmaller ? [smaller, larger] : [larger, smaller]
}

/** Sums over all bins of one column, which are the sums over all rows of the node. */
function totalsOf(histogram: Histogram): { readonly gradient: number; readonly hessian: number } {
  let gradient = 0
  let hessian = 0
  for (let at = 0; at < BINS * 2; at += 2) {
    gradient += histogram[at] ?? 0
    hessian += histogram[at + 1] ?? 0
  }
  return { gradient, hessian }
}

function leafValue(histogram: Histogram, { lambda, learningRate }: BoostSettings): number {
  const { gradient, hessian } = totalsOf(histogram)
  return (gradient / (hessian + lambda)) * learningRate
}

function bestSplit({ sampled, edges, settings }: Growing, histogram: Histogram): Split | null {
  const { lambda, leastWeight } = settings
  const { gradient, hessian } = totalsOf(histogram)
  const whole = (gradient * gradient) / (hessian + lambda)
  let best: Split | null = null
  let bestGain = 1e-6
  for (let place = 0; place < sampled.length; place += 1) {
    const column = sampled[place] ?? 0
    let [leftGradient, leftHessian] = [0, 0]
    const splits = edges[column]?.length ?? 0
    for (let bin = 0; bin < splits; bin += 1) {
      const at = (place * BINS + bin) * 2
      leftGradient += histogram[at] ?? 0
      leftHessian += histogram[at + 1] ?? 0
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
