import { readTagged, type TaggedPage } from './tagged-content.ts'
import type { Annotation, PdfPage, TextContent, TextItem } from './pdf-library.ts'

/** Text on one baseline without a wide gap. Coordinates grow to the right and downwards, in points. */
export type Segment = {
  readonly x: number
  readonly right: number
  readonly text: string
}
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

type Fragment = Segment & {
  readonly y: number
  readonly size: number
  readonly isMonospace: boolean
  readonly isRightToLeft: boolean
}

/** Gaps in widths of the letter "M": between words, and between the cells of a table or columns. */
const WORD_GAP = 0.15
const CELL_GAP = 0.9
/** Text on baselines this close, in font sizes, is one row: superscripts and subscripts. */
const SAME_BASELINE = 0.4

export async function readPageText(page: PdfPage): Promise<PageText> {
  const { height, transform } = page.getViewport({ scale: 1 })
  const [content, annotations, structure] = await Promise.all([
    page.getTextContent({ includeMarkedContent: true }),
    page.getAnnotations().catch(() => []),
    page.getStructTree().catch(() => null),
  ])
  const fragments = [
    ...fragmentsOf(content, transform),
    ...annotations.flatMap((annotation) => fieldValue(annotation, transform)),
  ]
  return { height, rows: toRows(dropRepeats(fragments)), tagged: readTagged(structure, content) }
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

function place(
  { transform, width }: Pick<TextItem, 'transform' | 'width'>,
  page: readonly number[],
): Pick<Fragment, 'x' | 'y' | 'right' | 'size'> | undefined {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = transform
  const [pa = 1, pb = 0, pc = 0, pd = 1, pe = 0, pf = 0] = page
  const [across, slope] = [pa * a + pc * b, pb * a + pd * b]
  if (across <= 0 || Math.abs(slope) > 0.3 * across) return undefined
  const x = pa * e + pc * f + pe
  const y = pb * e + pd * f + pf
  const size = Math.hypot(pa * c + pc * d, pb * c + pd * d)
  const scale = Math.hypot(pa, pb)
  return Number.isFinite(x + y + size) && size > 0
    ? { x, y, right: x + width * scale, size }
    : undefined
}

/** The text in a field of a form. */
function fieldValue(
  { subtype, fieldType, fieldValue: value, rect }: Annotation,
  page: readonly number[],
): Fragment[] {
  if (
    subtype !== 'Widget' ||
    fieldType !== 'Tx' ||
    typeof value !== 'string' ||
    value.trim() === ''
  )
    return []
  const [x = 0, y = 0, right = 0, top = 0] = rect ?? []
  const size = Math.min(12, Math.max(6, Math.abs(top - y) * 0.7))
  const placed = place({ transform: [size, 0, 0, size, x, y + 2], width: right - x }, page)
  return placed === undefined
    ? []
    : [{ ...placed, isMonospace: false, isRightToLeft: false, text: value.replace(/\s+/g, ' ') }]
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
