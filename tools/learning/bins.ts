export type Rows = {
  readonly columns: number
  /** Row-major. */
  readonly values: Float32Array
  /** 0 to 1. */
  readonly targets: Float32Array
  readonly weights?: Float32Array
}

/** Most bins of a column. */
export const BINS = 64
/** Rows from which the edges of bins are taken. */
const EDGE_ROWS = 20_000

/** Row-major bins, and the edges between the bins of each column. */
type Binned = { readonly bins: Uint8Array; readonly edges: readonly Float32Array[] }

/** Quantile bins for each column, from a sample of the rows. */
export function binRows({ columns, values }: Rows, count: number): Binned {
  const bins = new Uint8Array(count * columns)
  const edges: Float32Array[] = []
  const step = Math.max(1, Math.floor(count / EDGE_ROWS))
  for (let column = 0; column < columns; column += 1) {
    const sorted = new Float32Array(Math.ceil(count / step))
    for (let place = 0; place < sorted.length; place += 1)
      sorted[place] = values[place * step * columns + column] ?? 0
    sorted.sort()
    const found = edgesOf(sorted)
    edges.push(found)
    for (let row = 0; row < count; row += 1)
      bins[row * columns + column] = binOf(found, values[row * columns + column] ?? 0)
  }
  return { bins, edges }
}

function edgesOf(sorted: Float32Array): Float32Array {
  const count = sorted.length
  const unique: number[] = []
  for (let bin = 1; bin < BINS; bin += 1) {
    const at = Math.floor((bin * count) / BINS)
    const edge = ((sorted[at] ?? 0) + (sorted[Math.max(0, at - 1)] ?? 0)) / 2
    if (unique.length === 0 || edge > (unique.at(-1) ?? 0)) unique.push(edge)
  }
  const [least, most] = [sorted[0] ?? 0, sorted[count - 1] ?? 0]
  if (unique.length > 0 && (unique.at(-1) ?? 0) >= most) unique.pop()
  // Rare values of a mostly constant column still get a bin of their own.
  if (unique.length === 0 && most > least) unique.push((least + most) / 2)
  return Float32Array.from(unique)
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
