import type { DomElement, DomNode } from '../extract/dom.ts'
import { collapse, mostOf } from '../extract/text.ts'

const MAX_COLUMNS = 100
const MAX_SPAN = 1_000
const FENCED_LINE = /^(`{3})[^\n`]*\n([^\n`]+)\n\1$/
/** A longer text is not a name, and repeating it would multiply the size of the page. */
const LONGEST_NAME = 100

/** False for layout tables: marked as such, nested, or with only one row or column. */
export function isDataTable(table: DomElement): boolean {
  if (/^(presentation|none)$/.test(table.getAttribute('role') ?? '')) return false
  if (table.querySelector('table, h1, h2') !== null || hasLongCode(table)) return false
  const rows = rowsOf(table)
  const columns = mostOf(rows.map((row) => row.children.length))
  if (columns < 2 || rows.length === 0) return false
  if (rows.length === 1) return table.querySelector('th') !== null
  const longest = mostOf(
    rows.flatMap((row) => [...row.children].map((cell) => (cell.textContent ?? '').length)),
  )
  return longest < 2_000 || table.querySelector('th') !== null
}

/** A cell has no place for lines of code. */
function hasLongCode(table: DomElement): boolean {
  return table
    .querySelectorAll('pre')
    .some(
      (code) => /\S\s*\n\s*\S/.test(code.textContent ?? '') || code.querySelector('br') !== null,
    )
}

/**
 * A table as GFM. A cell that spans rows, and a header cell that spans columns, names each row or
 * column that it covers. Other cells that a span covers are empty.
 */
export function markdownTable(
  table: DomElement,
  blocks: (cell: DomNode) => string[],
  inline: (nodes: DomNode[]) => string,
): string[] {
  const rows = rowsOf(table)
  const grid = gridOf(rows, (cell) => cellText(blocks(cell)))
  const width = Math.min(MAX_COLUMNS, mostOf(grid.map((row) => row.length)))
  const lines = grid.map(
    (row) =>
      `| ${Array.from({ length: width }, (_value, column) => row[column] ?? '').join(' | ')} |`,
  )
  const caption = table.querySelector('caption')
  const title = caption === null ? '' : inline([...caption.childNodes]).trim()
  const rule = `| ${Array.from({ length: width }, () => '---').join(' | ')} |`
  return [title, [lines[0], rule, ...lines.slice(1)].join('\n')].filter((block) => block !== '')
}

function rowsOf(table: DomElement): DomElement[] {
  const rows = [...table.querySelectorAll('tr')].filter(
    (row) => row.closest('table') === table && row.children.length > 0,
  )
  const isHead = (row: DomElement) => row.parentElement?.localName === 'thead'
  return [...rows.filter(isHead), ...rows.filter((row) => !isHead(row))]
}

function gridOf(rows: readonly DomElement[], text: (cell: DomElement) => string): string[][] {
  const grid: string[][] = rows.map(() => [])
  for (const [index, row] of rows.entries()) {
    let column = 0
    for (const cell of row.children) {
      while (grid[index]?.[column] !== undefined) column += 1
      const words = text(cell)
      const [across, down] = [
        spanOf(cell, 'colspan', MAX_COLUMNS),
        rowsLeft(rows, index, rowSpanOf(cell)),
      ]
      const isHead = isHeadCell(cell) && row.children.length > 1
      for (let y = 0; y < down; y += 1)
        for (let x = 0; x < across && column + x < MAX_COLUMNS; x += 1) {
          const line = grid[index + y]
          const isNamed = (x === 0 || isHead) && words.length <= LONGEST_NAME
          if (line !== undefined) line[column + x] = (x === 0 && y === 0) || isNamed ? words : ''
        }
      column += across
    }
  }
  return grid
}

function isHeadCell(cell: DomElement): boolean {
  return cell.localName === 'th' || cell.closest('thead') !== null
}

function spanOf(cell: DomElement, name: string, most: number): number {
  return Math.min(most, Math.max(1, Math.trunc(Number(cell.getAttribute(name) ?? 1)) || 1))
}

/** A span of 0 rows covers the rest of the row group. */
function rowSpanOf(cell: DomElement): number {
  return /^\s*0+\s*$/.test(cell.getAttribute('rowspan') ?? '')
    ? MAX_SPAN
    : spanOf(cell, 'rowspan', MAX_SPAN)
}

/** Rows of the same row group, from this one on, at most `most`. */
function rowsLeft(rows: readonly DomElement[], index: number, most: number): number {
  const group = rows[index]?.parentElement
  let count = 1
  while (count < most && rows[index + count]?.parentElement === group) count += 1
  return count
}

/** A heading in a cell becomes a line of text. */
function cellText(blocks: string[]): string {
  const lines = blocks
    .flatMap((block) => block.replace(FENCED_LINE, '`$2`').split('\n'))
    .map((line) =>
      collapse(line)
        .trim()
        .replace(/^#{1,6} /, ''),
    )
  return lines
    .filter((line) => line !== '')
    .join('<br>')
    .replaceAll('|', '\\|')
}
