/** Tables and lists for people. */
import { safeLine } from './safe-text.ts'

const GAP = 2
const NARROWEST_COLUMN = 10

const segmenter = new Intl.Segmenter()

/** Columns that a terminal needs: wide characters of East Asia and emoji need two. */
export function widthOf(text: string): number {
  // Nearly all texts.
  if (/^[\u0020-\u02ff\u2010-\u2027]*$/.test(text)) return text.length
  let width = 0
  for (const { segment } of segmenter.segment(text))
    width +=
      /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u.test(
        segment,
      )
        ? 2
        : 1
  return width
}

function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)))
}

/** The text in at most `width` columns, with an ellipsis if it is cut. */
export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  let used = 0
  let short = ''
  for (const { segment } of segmenter.segment(text)) {
    used += widthOf(segment)
    if (used > width - 1) break
    short += segment
  }
  return `${short}…`
}

/** Aligned columns under a head, in at most `width` columns. Columns that do not fit are left out, the last first. */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  width: number,
): string {
  const cells = [head.map((title) => title.toUpperCase()), ...rows.map((row) => row.map(safeLine))]
  const widths = fit(
    head.map((_, column) =>
      Math.min(width, Math.max(...cells.map((row) => widthOf(row[column] ?? '')))),
    ),
    width,
  )
  return cells
    .map((row) =>
      widths
        .map((most, column) => pad(cut(row[column] ?? '', most), most))
        .join(' '.repeat(GAP))
        .trimEnd(),
    )
    .join('\n')
}

/** Narrows the widest columns first, then leaves out the last ones. */
function fit(wanted: readonly number[], width: number): readonly number[] {
  const widths = [...wanted]
  const total = (): number => widths.reduce((sum, one) => sum + one + GAP, -GAP)
  while (total() > width && Math.max(...widths) > NARROWEST_COLUMN) {
    const widest = widths.indexOf(Math.max(...widths))
    widths[widest] = (widths[widest] ?? 0) - 1
  }
  while (total() > width && widths.length > 1) widths.pop()
  return widths
}

/** Names and values, one pair per line. */
export function facts(pairs: readonly (readonly [string, string])[]): string {
  const width = Math.max(0, ...pairs.map(([name]) => widthOf(name)))
  return pairs.map(([name, value]) => `${pad(name, width)}  ${value}`.trimEnd()).join('\n')
}

/** The words in lines of at most `width` columns, each after `indent` spaces. */
export function wrap(text: string, width: number, indent = 0): string {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && indent + widthOf(line) + 1 + widthOf(word) > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line].map((one) => ' '.repeat(indent) + one).join('\n')
}

/** Names with descriptions next to them, wrapped. */
export function glossary(
  pairs: readonly (readonly [string, string])[],
  width: number,
  indent = 2,
): string {
  const widest = Math.min(28, Math.max(0, ...pairs.map(([name]) => widthOf(name))))
  const column = indent + widest + GAP
  return pairs
    .map(([name, about]) => {
      const text = wrap(about, width, column)
      const isLong = widthOf(name) > widest
      const first = `${' '.repeat(indent)}${name}`
      if (about === '') return first
      return isLong ? `${first}\n${text}` : `${pad(first, column)}${text.slice(column)}`
    })
    .join('\n')
}
