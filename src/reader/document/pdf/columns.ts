import type { Row, Segment } from './rows.ts'

const MIN_LINES = 5
/** A column of text fills this part of its width in most of its lines; a column of a table does not. */
const MIN_FILL = 0.55
const MIN_LINE_CHARS = 14
const MIN_WHOLE_LINES = 0.7
/** Lines of one column are closer than this, in font sizes. */
const MAX_LINE_GAP = 1.75
const MAX_DEPTH = 4
const MAX_CANDIDATES = 8

/** Two columns of text: the rows from `from` to `to` (exclusive), divided at `x`. */
type Columns = { readonly x: number; readonly from: number; readonly to: number }

/**
 * The rows of a page in reading order. Two columns of text are read one after the other; rows
 * across the whole width separate them. Columns of a table stay together.
 */
export function orderRows(rows: readonly Row[], depth = 0): Row[] {
  const columns = depth < MAX_DEPTH ? findColumns(rows) : undefined
  if (columns === undefined) return [...rows]
  const { x, from, to } = columns
  const side = (isIn: (segment: Segment) => boolean): Row[] =>
    rows
      .slice(from, to)
      .map((row) => ({ ...row, segments: row.segments.filter(isIn) }))
      .filter(({ segments }) => segments.length > 0)
  return [
    ...orderRows(rows.slice(0, from), depth + 1),
    ...orderRows(
      side((segment) => segment.right <= x),
      depth + 1,
    ),
    ...orderRows(
      side((segment) => segment.right > x),
      depth + 1,
    ),
    ...orderRows(rows.slice(to), depth + 1),
  ]
}

/** The longest columns of text; undefined if the rows are not set in columns. */
function findColumns(rows: readonly Row[]): Columns | undefined {
  // A ragged left column ends anywhere, but the lines of the right column begin at one place.
  const starts = new Map<number, number>()
  for (const { segments } of rows)
    for (const { x } of segments) {
      const place = Math.round(x) - 2
      starts.set(place, (starts.get(place) ?? 0) + 1)
    }
  const found = [...starts]
    .filter(([, count]) => count >= MIN_LINES)
    .sort((one, other) => other[1] - one[1])
    .slice(0, MAX_CANDIDATES)
    .flatMap(([x]) => columnsAt(rows, x))
  return found.sort((one, other) => other.to - other.from - (one.to - one.from))[0]
}

/** Runs of rows that do not cross x and have text on both sides. */
function columnsAt(rows: readonly Row[], x: number): Columns[] {
  const found: Columns[] = []
  for (let from = 0; from < rows.length; from += 1) {
    let to = from
    while (to < rows.length && !crosses(rows[to], x)) to += 1
    const run = trimToColumns(rows, { x, from, to })
    if (run.to - run.from >= MIN_LINES && isTextOnBothSides(rows.slice(run.from, run.to), x))
      found.push(run)
    from = to
  }
  return found
}

/**
 * Short lines above and below the columns do not cross x either. A column that is longer than the
 * other one continues without a gap.
 */
function trimToColumns(rows: readonly Row[], { x, from, to }: Columns): Columns {
  const places = rows.map((_row, index) => index).slice(from, to)
  const onSide = (isIn: (segment: Segment) => boolean): number[] =>
    places.filter((index) => rows[index]?.segments.some(isIn) === true)
  const left = onSide((segment) => segment.right <= x)
  const right = onSide((segment) => segment.right > x)
  let first = Math.max(left[0] ?? to, right[0] ?? to)
  let last = Math.min(left.at(-1) ?? from, right.at(-1) ?? from)
  while (first > from && continues(rows[first - 1], rows[first])) first -= 1
  while (last < to - 1 && continues(rows[last], rows[last + 1])) last += 1
  return { x, from: first, to: last + 1 }
}

function continues(row: Row | undefined, next: Row | undefined): boolean {
  return (
    row !== undefined &&
    next !== undefined &&
    next.y - row.y < MAX_LINE_GAP * row.size &&
    Math.abs(row.size - next.size) < 0.12 * row.size
  )
}

function crosses(row: Row | undefined, x: number): boolean {
  return row?.segments.some((one) => one.x < x && one.right > x) === true
}

function isTextOnBothSides(rows: readonly Row[], x: number): boolean {
  const linesOf = (isIn: (segment: Segment) => boolean): Line[] =>
    rows.flatMap(({ y, segments }) => {
      const inside = segments.filter(isIn)
      return inside.length === 0 ? [] : [{ y, segments: inside }]
    })
  const left = linesOf((segment) => segment.right <= x)
  const right = linesOf((segment) => segment.right > x)
  return isColumnOfText(left) && isColumnOfText(right) && areBeside(left, right)
}

type Line = { readonly y: number; readonly segments: readonly Segment[] }

function isColumnOfText(lines: readonly Line[]): boolean {
  if (lines.length < MIN_LINES) return false
  const starts = lines.map(({ segments }) => segments[0]?.x ?? 0)
  const ends = lines.map(({ segments }) => segments.at(-1)?.right ?? 0)
  const width = quantile(ends, 0.95) - quantile(starts, 0.05)
  const chars = lines.map(({ segments }) =>
    segments.reduce((sum, { text }) => sum + text.length, 0),
  )
  const whole = lines.filter(({ segments }) => segments.length === 1).length
  return (
    median(ends.map((end, index) => end - (starts[index] ?? 0))) >= MIN_FILL * width &&
    median(chars) >= MIN_LINE_CHARS &&
    whole >= lines.length * MIN_WHOLE_LINES
  )
}

/** Columns share most of the height of the shorter one. */
function areBeside(left: readonly Line[], right: readonly Line[]): boolean {
  const [top, bottom] = [
    Math.max(left[0]?.y ?? 0, right[0]?.y ?? 0),
    Math.min(left.at(-1)?.y ?? 0, right.at(-1)?.y ?? 0),
  ]
  const heightOf = (lines: readonly Line[]): number => (lines.at(-1)?.y ?? 0) - (lines[0]?.y ?? 0)
  return bottom - top >= 0.6 * Math.min(heightOf(left), heightOf(right))
}

function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
