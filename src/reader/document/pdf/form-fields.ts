import type { Annotation } from './pdf-library.ts'
import { place, type Fragment } from './place.ts'

const CHECKED = '☒'
const UNCHECKED = '☐'
/** Bits of an annotation: hidden, and not shown on the screen. */
const HIDDEN = 2 | 32

/** The values of the fields of a form, at their places. */
export function fieldsOf(annotations: readonly Annotation[], page: readonly number[]): Fragment[] {
  return annotations.filter(isShownField).flatMap((annotation) => {
    const text = valueOf(annotation)
    if (text === '') return []
    const [x = 0, y = 0, right = 0, top = 0] = annotation.rect ?? []
    const size = Math.min(12, Math.max(6, Math.abs(top - y) * 0.7))
    const placed = place({ transform: [size, 0, 0, size, x, y + 2], width: right - x }, page)
    return placed === undefined
      ? []
      : [{ ...placed, isMonospace: false, isRightToLeft: false, text }]
  })
}

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
