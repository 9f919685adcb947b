/** Tables and lists for people. */
import { safeLine } from './safe-text.ts'

const GAP = 2
const NARROWEST_COLUMN = 24
/** Ids are copied into other commands: they are never cut. */
const ID = /^[a-z]+_[\da-f]{20,}$/

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
  const columns = head.map((_, column) => {
    const wanted = Math.min(width, Math.max(...cells.map((row) => widthOf(row[column] ?? ''))))
    const isId = cells.some((row) => ID.test(row[column] ?? ''))
    return { wanted, least: isId ? wanted : Math.min(wanted, NARROWEST_COLUMN) }
  })
  const widths = fit(columns, width)
  return cells
    .map((row) =>
      widths
        .map((most, column) => pad(cut(row[column] ?? '', most), most))
        .join(' '.repeat(GAP))
        .trimEnd(),
    )
    .join('\n')
}

type Column = { readonly wanted: number; readonly least: number }

/** Narrows the widest columns first, then leaves out the last ones. */
function fit(columns: readonly Column[], width: number): readonly number[] {
  const shown = [...columns]
  while (shown.length > 1 && sum(shown.map(({ least }) => least)) > width) shown.pop()
  const widths = shown.map(({ wanted }) => wanted)
  for (let excess = sum(widths) - width; excess > 0; excess -= 1) {
    const spare = widths.map((one, at) => (one > (shown[at]?.least ?? 0) ? one : 0))
    const widest = spare.indexOf(Math.max(...spare))
    widths[widest] = Math.max(1, (widths[widest] ?? 0) - 1)
  }
  return widths
}

/** With the gaps between columns. */
const sum = (widths: readonly number[]): number =>
  widths.reduce((total, one) => total + one + GAP, -GAP)

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
