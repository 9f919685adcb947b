import { readTagged, type TaggedPage } from './tagged-content.ts'
import { placeFields, readFields, writeFields } from './form-fields.ts'
import { writeLinks } from './links.ts'
import type { PdfPage, TextContent } from './pdf-library.ts'
import { place, type Fragment, type Segment } from './place.ts'

export type { Segment } from './place.ts'

/** All segments on one baseline, from left to right. */
export type Row = {
  readonly y: number
  readonly size: number
  readonly isMonospace: boolean
  readonly segments: readonly Segment[]
}
export type PageText = {
  readonly height: number
  readonly rows: readonly Row[]
  readonly tagged?: TaggedPage | undefined
}

/** Gaps in widths of the letter "M": between words, and between the cells of a table or columns. */
const WORD_GAP = 0.15
const CELL_GAP = 0.9
/** Text on baselines this close, in font sizes, is one row: superscripts and subscripts. */
const SAME_BASELINE = 0.4

export async function readPageText(page: PdfPage): Promise<PageText> {
  const [content, annotations, structure] = await Promise.all([
    page.getTextContent({ includeMarkedContent: true }),
    page.getAnnotations().catch(() => []),
    page.getStructTree().catch(() => null),
  ])
  const linked = writeLinks(content, annotations)
  const { height, transform, fragments } = readUpright(page, linked)
  const fields = readFields(annotations)
  // The structure of most files names no values of fields.
  const filled = writeFields(linked, fields)
  return {
    height,
    rows: toRows(dropRepeats([...fragments, ...placeFields(fields, transform)])),
    tagged: filled === undefined ? undefined : readTagged(structure, filled),
  }
}

/** A larger share of the letters along the reading direction belongs to a page that stands upright. */
const UPRIGHT_SHARE = 0.2

/** The page as it is shown or, if nearly all its text stands sideways, turned to its text. */
function readUpright(page: PdfPage, content: TextContent) {
  const read = (turn?: number) => {
    const rotation = turn === undefined ? {} : { rotation: (page.rotate + turn) % 360 }
    const { height, transform } = page.getViewport({ scale: 1, ...rotation })
    const fragments = fragmentsOf(content, transform)
    const letters = fragments.reduce((sum, { text }) => sum + text.length, 0)
    return { height, transform, fragments, letters }
  }
  const shown = read()
  const all = content.items.reduce(
    (sum, item) => sum + ('str' in item ? item.str.trim().length : 0),
    0,
  )
  if (all === 0 || shown.letters > all * UPRIGHT_SHARE) return shown
  return [90, 180, 270]
    .map((turn) => read(turn))
    .reduce((best, one) => (one.letters > best.letters ? one : best), shown)
}

function fragmentsOf({ items, styles }: TextContent, page: readonly number[]): Fragment[] {
  const found: Fragment[] = []
  for (const item of items) {
    if (!('str' in item) || item.str.trim() === '') continue
    const placed = place(item, page)
    // Text across the reading direction is a watermark or a margin note.
    if (placed !== undefined)
      found.push({
        ...placed,
        isMonospace: styles[item.fontName]?.fontFamily === 'monospace',
        isRightToLeft: item.dir === 'rtl',
        text: item.str.replace(/[\s\0]+/g, ' '),
      })
  }
  return found
}

/** Some programs draw a text twice to make it bold. */
function dropRepeats(fragments: readonly Fragment[]): Fragment[] {
  const seen = new Set<string>()
  return fragments.filter(({ text, x, y, size }) => {
    const step = Math.max(1, size / 4)
    const key = `${text}/${Math.round(x / step)}/${Math.round(y / step)}`
    return seen.has(key) ? false : (seen.add(key), true)
  })
}

function toRows(fragments: readonly Fragment[]): Row[] {
  const rows: Fragment[][] = []
  for (const fragment of [...fragments].sort((one, other) => one.y - other.y)) {
    const last = rows.at(-1)
    const base = last === undefined ? undefined : largest(last)
    if (
      last !== undefined &&
      base !== undefined &&
      fragment.y - base.y < SAME_BASELINE * Math.max(base.size, fragment.size)
    )
      last.push(fragment)
    else rows.push([fragment])
  }
  return rows.map(toRow)
}

function largest(fragments: readonly Fragment[]): Fragment | undefined {
  return fragments.reduce<Fragment | undefined>(
    (most, one) => (most === undefined || one.size > most.size ? one : most),
    undefined,
  )
}

function toRow(fragments: readonly Fragment[]): Row {
  const base = largest(fragments)
  const chars = (of: readonly Fragment[]): number =>
    of.reduce((sum, { text }) => sum + text.length, 0)
  const isRightToLeft = chars(fragments.filter((one) => one.isRightToLeft)) > chars(fragments) / 2
  return {
    y: base?.y ?? 0,
    size: sizeOf(fragments),
    isMonospace: fragments.every((one) => one.isMonospace),
    segments: toSegments(fragments, isRightToLeft),
  }
}

/** The size of most of the letters. */
function sizeOf(fragments: readonly Fragment[]): number {
  const letters = new Map<number, number>()
  for (const { size, text } of fragments) {
    const rounded = Math.round(size * 2) / 2
    letters.set(rounded, (letters.get(rounded) ?? 0) + text.length)
  }
  return [...letters].sort((one, other) => other[1] - one[1])[0]?.[0] ?? 0
}

function toSegments(fragments: readonly Fragment[], isRightToLeft: boolean): Segment[] {
  const segments: { x: number; right: number; text: string }[] = []
  for (const { x, right, text, size } of [...fragments].sort((one, other) => one.x - other.x)) {
    const last = segments.at(-1)
    const gap = last === undefined ? 0 : x - last.right
    if (last === undefined || gap > CELL_GAP * size) segments.push({ x, right, text: text.trim() })
    else {
      const space = gap > WORD_GAP * size || text.startsWith(' ') ? ' ' : ''
      // The reading order of a right-to-left line begins at its right end.
      last.text = isRightToLeft
        ? `${text.trim()}${space}${last.text}`
        : `${last.text}${space}${text.trimStart()}`.replace(/ {2,}/g, ' ')
      last.right = Math.max(last.right, right)
    }
  }
  const read = segments
    .map(({ text, ...at }) => ({ ...at, text: text.trim() }))
    .filter(({ text }) => text !== '')
  return isRightToLeft ? read.reverse() : read
}

export function textOfRow({ segments }: Row): string {
  return segments.map(({ text }) => text).join(' ')
}
