import type { Row, Segment } from './rows.ts'

export type FoundTable = {
  readonly cells: readonly (readonly string[])[]
  readonly rowCount: number
}

type Column = { x: number; right: number }

/** Rows further apart than this, in font sizes, are not of one table. */
const MAX_ROW_GAP = 3.2
/** Lines of one cell are closer than this. */
const LINE_GAP = 1.35
const MIN_ROWS = 2
const MIN_ROWS_OF_PAIRS = 3
const MAX_COLUMNS = 40

/** The table that begins at a row: consecutive rows whose segments stand under each other. */
export function findTable(rows: readonly Row[], from: number): FoundTable | undefined {
  if ((rows[from]?.segments.length ?? 0) < 2) return undefined
  const run = runFrom(rows, from)
  for (let length = run.length; length >= MIN_ROWS; length -= 1) {
    const found = toTable(run.slice(0, length))
    if (found !== undefined) return found
    if (run.length - length > 6) break
  }
  return undefined
}

/** Rows with several segments, and single ones between them that continue a cell. */
function runFrom(rows: readonly Row[], from: number): Row[] {
  const run: Row[] = []
  for (let index = from; index < rows.length; index += 1) {
    const row = rows[index]
    const last = run.at(-1)
    if (row === undefined) break
    if (last !== undefined && !isNear(last, row)) break
    if (row.segments.length < 2) {
      const next = rows[index + 1]
      const isBetween = next !== undefined && next.segments.length >= 2 && isNear(row, next)
      const startsInside = (row.segments[0]?.x ?? 0) > (run[0]?.segments[0]?.right ?? 0)
      if (!startsInside && !(isBetween && isShort(row, run))) break
    }
    run.push(row)
  }
  while ((run.at(-1)?.segments.length ?? 2) < 2 && !continuesCell(run)) run.pop()
  return run
}

function isNear(one: Row, next: Row): boolean {
  const gap = next.y - one.y
  return gap >= 0 && gap < MAX_ROW_GAP * Math.max(one.size, next.size)
}

/** A line of text ends a table; a group heading or the rest of a cell does not. */
function isShort(row: Row, run: readonly Row[]): boolean {
  const left = Math.min(...run.map(({ segments }) => segments[0]?.x ?? 0))
  const right = Math.max(...run.map(({ segments }) => segments.at(-1)?.right ?? 0))
  const [segment] = row.segments
  return segment !== undefined && segment.right - segment.x < (right - left) * 0.45
}

function continuesCell(run: readonly Row[]): boolean {
  const last = run.at(-1)
  return last !== undefined && (last.segments[0]?.x ?? 0) > (run[0]?.segments[0]?.right ?? 0)
}

function toTable(run: readonly Row[]): FoundTable | undefined {
  const several = run.filter(({ segments }) => segments.length >= 2)
  const columns = columnsOf(several)
  if (columns.length < 2 || columns.length > MAX_COLUMNS) return undefined
  if (several.length < (columns.length === 2 ? MIN_ROWS_OF_PAIRS : MIN_ROWS)) return undefined
  const placed = run.map(({ segments }) => segments.map((segment) => columnAt(columns, segment)))
  const all = several.flatMap(({ segments }) => segments)
  const misplaced = all.filter((segment) => overlapped(columns, segment) !== 1).length
  const shared = placed.filter((at) => new Set(at).size < at.length).length
  if (misplaced > all.length * 0.2 || shared > run.length * 0.2) return undefined
  const cells: string[][] = []
  run.forEach((row, index) => {
    const line = Array.from({ length: columns.length }, () => '')
    row.segments.forEach(({ text }, place) => {
      const column = placed[index]?.[place] ?? 0
      line[column] = `${line[column]} ${text}`.trim()
    })
    const above = cells.at(-1)
    const gap = row.y - (run[index - 1]?.y ?? row.y)
    const isRest =
      above !== undefined &&
      line[0] === '' &&
      (row.segments.length === 1 || gap <= LINE_GAP * row.size) &&
      gap <= MAX_ROW_GAP * row.size
    if (!isRest) cells.push(line)
    else line.forEach((text, column) => (above[column] = `${above[column]} ${text}`.trim()))
  })
  return cells.length < MIN_ROWS ? undefined : { cells, rowCount: run.length }
}

/** The columns of the rows with the most usual number of segments. */
function columnsOf(rows: readonly Row[]): Column[] {
  const counts = new Map<number, number>()
  for (const { segments } of rows)
    counts.set(segments.length, (counts.get(segments.length) ?? 0) + 1)
  const [usual = 0] =
    [...counts].sort((one, other) => other[1] - one[1] || other[0] - one[0])[0] ?? []
  const columns: Column[] = []
  const intervals = rows
    .filter(({ segments }) => segments.length >= usual)
    .flatMap(({ segments }) => segments.map(({ x, right }) => ({ x, right })))
    .sort((one, other) => one.x - other.x)
  for (const { x, right } of intervals) {
    const last = columns.at(-1)
    if (last !== undefined && x < last.right) last.right = Math.max(last.right, right)
    else columns.push({ x, right })
  }
  return columns
}

function overlapped(columns: readonly Column[], { x, right }: Segment): number {
  return columns.filter((column) => column.x < right && column.right > x).length
}

/** The column that a segment overlaps most, or the nearest one. */
function columnAt(columns: readonly Column[], { x, right }: Segment): number {
  const distances = columns.map((column) =>
    Math.max(
      column.x - right,
      x - column.right,
      -Math.min(right, column.right) + Math.max(x, column.x),
    ),
  )
  return distances.indexOf(Math.min(...distances))
}
