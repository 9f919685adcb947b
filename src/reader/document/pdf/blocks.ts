import { element, escapeHtml, heading, table } from '../markup.ts'
import { textOfRow, type Row } from './rows.ts'
import { findTable } from './tables.ts'
import { headingLevel, isContents, LEADER, type Typography } from './typography.ts'

/** Lines further apart than this, in font sizes, are of different paragraphs. */
const PARAGRAPH_GAP = 1.75
/** Code has empty lines. */
const CODE_GAP = 3.2
const BULLET = /^([•▪◦‣∙●○■□➢✓]|[–-](?= )|\uf0b7)\s*/
const NUMBER = /^(\(?\d{1,3}[.)]|\(?[a-z][.)])\s+(?=\S)/

/** Rows in reading order as HTML: headings, paragraphs, lists, tables and code. */
export function rowsToHtml(rows: readonly Row[], typography: Typography): string {
  const out: string[] = []
  let index = 0
  while (index < rows.length) {
    const row = rows[index]
    if (row === undefined) break
    const found = isContents(row) ? undefined : findTable(rows, index)
    if (found !== undefined && !row.isMonospace) {
      out.push(table(found.cells.map((line) => line.map((text) => ({ html: escapeHtml(text) })))))
      index += found.rowCount
      continue
    }
    const length = blockLength(rows, index, typography)
    out.push(blockToHtml(rows.slice(index, index + length), typography))
    index += length
  }
  return out
    .filter((html) => html !== '')
    .join('\n')
    .replaceAll('</li></ul>\n<ul><li>', '</li><li>')
}

function blockLength(rows: readonly Row[], from: number, typography: Typography): number {
  let length = 1
  for (; from + length < rows.length; length += 1) {
    const [last, next] = [rows[from + length - 1], rows[from + length]]
    if (last === undefined || next === undefined) break
    if (startsBlock(last, next, typography)) break
    if (
      next.segments.length >= 2 &&
      !next.isMonospace &&
      findTable(rows, from + length) !== undefined
    )
      break
  }
  return length
}

function startsBlock(last: Row, next: Row, typography: Typography): boolean {
  const gap = next.y - last.y
  const size = Math.max(last.size, next.size)
  const lastLevel = headingLevel(last, typography)
  return (
    gap <= 0 ||
    gap > (next.isMonospace ? CODE_GAP : PARAGRAPH_GAP) * size ||
    Math.abs(last.size - next.size) > 0.12 * size ||
    last.isMonospace !== next.isMonospace ||
    lastLevel !== headingLevel(next, typography) ||
    isContents(last) !== isContents(next) ||
    (!next.isMonospace && (isItem(next) || isIndented(last, next)))
  )
}

function isItem(row: Row): boolean {
  const text = textOfRow(row)
  return BULLET.test(text) || NUMBER.test(text)
}

/** The first line of a paragraph is indented against the line before it. */
function isIndented(last: Row, next: Row): boolean {
  const [before, after] = [last.segments[0]?.x ?? 0, next.segments[0]?.x ?? 0]
  return after - before > next.size && !isItem(last)
}

function blockToHtml(rows: readonly Row[], typography: Typography): string {
  const [first] = rows
  if (first === undefined) return ''
  const level = headingLevel(first, typography)
  if (level !== undefined) return heading(level, escapeHtml(joinLines(rows)))
  if (first.isMonospace)
    return `<pre><code>${escapeHtml(rows.map(monospaceLine).join('\n'))}</code></pre>`
  if (isContents(first))
    return element(
      'p',
      rows.map((row) => escapeHtml(textOfRow(row).replace(LEADER, ' … '))).join('<br>'),
    )
  const text = joinLines(rows)
  const bullet = BULLET.exec(text)?.[0]
  return bullet === undefined
    ? element('p', escapeHtml(text))
    : `<ul><li>${escapeHtml(text.slice(bullet.length))}</li></ul>`
}

/** The columns of monospaced text stay under each other. */
function monospaceLine({ segments, size }: Row): string {
  const [first] = segments
  if (first === undefined) return ''
  const width = Math.max(
    0.3 * size,
    ...segments.map(({ x, right, text }) => (right - x) / Math.max(1, text.length)).slice(0, 1),
  )
  return segments.reduce((line, { x, text }) => {
    const at = Math.round((x - first.x) / width)
    return `${line}${' '.repeat(Math.min(200, Math.max(line === '' ? 0 : 1, at - line.length)))}${text}`
  }, '')
}

/** Lines as one text. A word that was divided at the end of a line is joined again. */
function joinLines(rows: readonly Row[]): string {
  return rows.map(textOfRow).reduce((text, line) => {
    if (text === '') return line
    if (/\p{L}[-\u2010\u00ad]$/u.test(text) && /^\p{Ll}/u.test(line))
      return text.slice(0, -1) + line
    return isIdeographic(text.at(-1)) && isIdeographic(line[0]) ? text + line : `${text} ${line}`
  }, '')
}

function isIdeographic(character: string | undefined): boolean {
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]/u.test(
    character ?? '',
  )
}
