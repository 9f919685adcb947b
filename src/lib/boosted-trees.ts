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
  readonly feature: readonly number[]
  readonly threshold: readonly number[]
  readonly left: readonly number[]
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
