const ROUNDS = 20
/** Smaller errors count as this one, so that no point decides alone. */
const LEAST_ERROR = 0.03
const RIDGE = 1e-3

/**
 * Coefficients of a linear function with the least mean absolute error, by least squares with
 * weights of 1 / error. The first coefficient is the intercept.
 */
export function fitLine(inputs: readonly (readonly number[])[], targets: readonly number[]) {
  const rows = inputs.map((input) => [1, ...input])
  let weights = targets.map(() => 1)
  let line: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    line = solve(rows, targets, weights)
    const fitted = line
    weights = rows.map((row, at) => {
      const error = Math.abs((targets[at] ?? 0) - dot(row, fitted))
      return 1 / Math.max(LEAST_ERROR, error)
    })
  }
  return line
}

/** Coefficients of a linear function with the least squared error. The first one is the intercept. */
export function fitMean(inputs: readonly (readonly number[])[], targets: readonly number[]) {
  return solve(
    inputs.map((input) => [1, ...input]),
    targets,
    targets.map(() => 1),
  )
}

function dot(one: readonly number[], other: readonly number[]): number {
  return one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0)
}

/** Weighted least squares by the normal equations and Gaussian elimination. */
function solve(
  rows: readonly (readonly number[])[],
  targets: readonly number[],
  weights: readonly number[],
): number[] {
  const size = rows[0]?.length ?? 0
  const sum = (read: (at: number) => number): number =>
    rows.reduce((total, _, at) => total + (weights[at] ?? 0) * read(at), 0)
  const matrix = Array.from({ length: size }, (_, i) => [
    ...Array.from(
      { length: size },
      (_column, j) =>
        sum((at) => (rows[at]?.[i] ?? 0) * (rows[at]?.[j] ?? 0)) + (i === j ? RIDGE : 0),
    ),
    sum((at) => (rows[at]?.[i] ?? 0) * (targets[at] ?? 0)),
  ])
  for (let pivot = 0; pivot < size; pivot += 1) {
    const own = matrix[pivot] ?? []
    for (const [at, row] of matrix.entries()) {
      if (at === pivot) continue
      const factor = (row[pivot] ?? 0) / (own[pivot] ?? 1)
      matrix[at] = row.map((value, column) => value - factor * (own[column] ?? 0))
    }
  }
  return matrix.map((row, at) => (row[size] ?? 0) / (row[at] ?? 1))
}
