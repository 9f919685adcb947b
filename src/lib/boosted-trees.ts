/**
 * Evaluates gradient-boosted regression trees. A model is plain data: node i of a tree compares
 * `features[feature[i]]` with `threshold[i]` and continues at `left[i]` when the value is at most
 * the threshold, otherwise at `left[i] + 1`. A leaf has feature -1 and its value in `threshold`.
 */
export type BoostedTrees = {
  /** Added to the sum of all leaves. */
  readonly base: number
  /** First node of each tree. */
  readonly roots: readonly number[]
  readonly feature: ArrayLike<number>
  readonly threshold: ArrayLike<number>
  readonly left: ArrayLike<number>
}

/** Base64 of little-endian arrays: Int16 features and Float32 thresholds. Children follow from the order of nodes. */
export type PackedTrees = {
  readonly base: number
  readonly feature: string
  readonly threshold: string
}

/** The sum of one leaf per tree; for a classifier, the log-odds. */
export function sumOfLeaves(model: BoostedTrees, features: ArrayLike<number>): number {
  const { feature, threshold, left } = model
  let sum = model.base
  for (const root of model.roots) {
    let node = root
    for (let split = feature[node] ?? -1; split >= 0; split = feature[node] ?? -1)
      node = (left[node] ?? 0) + ((features[split] ?? 0) <= (threshold[node] ?? 0) ? 0 : 1)
    sum += threshold[node] ?? 0
  }
  return sum
}

/** Probability for log-odds. */
export function logistic(logOdds: number): number {
  return 1 / (1 + Math.exp(-logOdds))
}

/** The compact form for files. Thresholds lose precision beyond 32 bits. */
export function packTrees({ base, feature, threshold }: BoostedTrees): PackedTrees {
  const features = Buffer.alloc(feature.length * 2)
  const thresholds = Buffer.alloc(threshold.length * 4)
  for (let node = 0; node < feature.length; node += 1) {
    features.writeInt16LE(feature[node] ?? -1, node * 2)
    thresholds.writeFloatLE(threshold[node] ?? 0, node * 4)
  }
  return { base, feature: features.toString('base64'), threshold: thresholds.toString('base64') }
}

/** Nodes of a tree are in breadth-first order, so each split takes the next two nodes as children. */
export function unpackTrees(packed: PackedTrees): BoostedTrees {
  const features = Buffer.from(packed.feature, 'base64')
  const thresholds = Buffer.from(packed.threshold, 'base64')
  const count = features.length / 2
  const feature = new Int16Array(count)
  const threshold = new Float32Array(count)
  const left = new Int32Array(count)
  const roots: number[] = []
  let child = 0
  for (let node = 0; node < count; node += 1) {
    if (node === child) {
      roots.push(node)
      child = node + 1
    }
    feature[node] = features.readInt16LE(node * 2)
    threshold[node] = thresholds.readFloatLE(node * 4)
    left[node] = (feature[node] ?? -1) < 0 ? -1 : child
    if ((feature[node] ?? -1) >= 0) child += 2
  }
  return { base: packed.base, roots, feature, threshold, left }
}
