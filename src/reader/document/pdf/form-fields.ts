import type { Annotation, TextContent } from './pdf-library.ts'
import { place, type Fragment } from './place.ts'

const CHECKED = '☒'
const UNCHECKED = '☐'
/** Bits of an annotation: hidden, and not shown on the screen. */
const HIDDEN = 2 | 32

/** A field with its value. `rect` is in the units of the page's text. */
export type Field = { readonly text: string; readonly rect: readonly number[] }

export function readFields(annotations: readonly Annotation[]): Field[] {
  return annotations.filter(isShownField).flatMap((annotation) => {
    const text = valueOf(annotation)
    return text === '' ? [] : [{ text, rect: annotation.rect ?? [] }]
  })
}

/** The values of fields at their places. */
export function placeFields(fields: readonly Field[], page: readonly number[]): Fragment[] {
  return fields.flatMap(({ text, rect: [x = 0, y = 0, right = 0, top = 0] }) => {
    const size = Math.min(12, Math.max(6, Math.abs(top - y) * 0.7))
    const placed = place({ transform: [size, 0, 0, size, x, y + 2], width: right - x }, page)
    return placed === undefined
      ? []
      : [{ ...placed, isMonospace: false, isRightToLeft: false, text }]
  })
}

/**
 * Writes each value behind its label, the nearest text to the left on its line, or before the
 * nearest one to the right. Undefined if a field has no text on its line.
 */
export function writeFields(
  content: TextContent,
  fields: readonly Field[],
): TextContent | undefined {
  const before = new Map<number, string>()
  const after = new Map<number, string>()
  for (const { text, rect } of fields) {
    const [x = 0, y = 0, , top = 0] = rect
    const middle = (y + top) / 2
    const onLine = content.items.flatMap((item, at) => {
      if (!('str' in item) || item.str.trim() === '') return []
      const [, , , height = 0, left = 0, base = 0] = item.transform
      return Math.abs(base + height * 0.3 - middle) <= Math.max(height, top - y) * 0.6
        ? [{ at, distance: x - left }]
        : []
    })
    const nearest = onLine.reduce<(typeof onLine)[number] | undefined>(
      (best, one) =>
        best === undefined || rankOf(one.distance) < rankOf(best.distance) ? one : best,
      undefined,
    )
    if (nearest === undefined) return undefined
    const { at, distance } = nearest
    if (distance >= 0) after.set(at, `${after.get(at) ?? ''} ${text}`)
    else before.set(at, `${before.get(at) ?? ''}${text} `)
  }
  const items = content.items.map((item, at) =>
    'str' in item
      ? { ...item, str: `${before.get(at) ?? ''}${item.str}${after.get(at) ?? ''}` }
      : item,
  )
  return { ...content, items }
}

/** Texts to the left come first, by their distance. */
function rankOf(distance: number): number {
  return distance >= 0 ? distance : FAR - distance
}

const FAR = 1e6

function isShownField({ subtype, password, hidden, annotationFlags = 0 }: Annotation): boolean {
  return (
    subtype === 'Widget' && password !== true && hidden !== true && (annotationFlags & HIDDEN) === 0
  )
}

/** Text, the chosen entries of a list, or the state of a box or button. */
function valueOf(annotation: Annotation): string {
  const { fieldType, fieldValue: value, checkBox, radioButton } = annotation
  if (checkBox === true || radioButton === true) {
    const chosen = checkBox === true ? annotation.exportValue : annotation.buttonValue
    return typeof value === 'string' && value === chosen && value !== 'Off' ? CHECKED : UNCHECKED
  }
  if (fieldType !== 'Tx' && fieldType !== 'Ch') return ''
  const values = Array.isArray(value) ? (value as unknown[]) : [value]
  return values
    .filter((one) => typeof one === 'string')
    .join(', ')
    .replace(/\s+/g, ' ')
    .trim()
}
