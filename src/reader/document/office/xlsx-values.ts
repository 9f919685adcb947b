import type { Archive } from '../archive.ts'
import { attributeOf, childOf, childrenOf, elementsOf, textOf, type XmlElement } from '../xml.ts'
import { readPart } from './package.ts'

/** How a number format shows numbers. */
export type NumberKind = 'plain' | 'percent' | 'date' | 'time' | 'date_time'

const BUILT_IN: Readonly<Record<number, NumberKind>> = {
  9: 'percent',
  10: 'percent',
  14: 'date',
  15: 'date',
  16: 'date',
  17: 'date',
  18: 'time',
  19: 'time',
  20: 'time',
  21: 'time',
  22: 'date_time',
  45: 'time',
  46: 'time',
  47: 'time',
}
const DAY_MS = 86_400_000
const EPOCH_1900 = Date.UTC(1899, 11, 30)
const EPOCH_1904 = Date.UTC(1904, 0, 1)

/** The kind of number of each cell style, by its position in the style sheet. */
export function readCellStyles(archive: Archive, part: string): NumberKind[] {
  const root = readPart(archive, part)
  const own = new Map(
    childrenOf(childOf(root, 'numFmts'), 'numFmt').map((format): [string, string] => [
      attributeOf(format, 'numFmtId') ?? '',
      attributeOf(format, 'formatCode') ?? '',
    ]),
  )
  return childrenOf(childOf(root, 'cellXfs'), 'xf').map((style) => {
    const id = attributeOf(style, 'numFmtId') ?? '0'
    const code = own.get(id)
    return code === undefined ? (BUILT_IN[Number(id)] ?? 'plain') : kindOfCode(code)
  })
}

/** Quoted text, colours and conditions of a format code are no parts of a date. */
export function kindOfCode(code: string): NumberKind {
  const bare = code.replace(/"[^"]*"|\\.|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '').toLowerCase()
  if (bare.includes('%')) return 'percent'
  const isTime = /h|s|am\/pm/.test(bare)
  const isDate = /y|d/.test(bare) || (/m/.test(bare) && !isTime)
  return isDate ? (isTime ? 'date_time' : 'date') : isTime ? 'time' : 'plain'
}

/** A number as a reader of the sheet sees it, without the noise of binary fractions. */
export function formatNumber(text: string, kind: NumberKind, is1904: boolean): string {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value)) return text
  if (kind === 'percent') return `${trimNumber(value * 100)}%`
  if (kind === 'plain') return trimNumber(value)
  const ms = (is1904 ? EPOCH_1904 : EPOCH_1900) + Math.round(value * 86_400) * 1_000
  if (!Number.isFinite(ms) || Math.abs(ms) > 8.64e15) return text
  const iso = new Date(ms).toISOString()
  if (kind === 'date') return iso.slice(0, 10)
  if (kind === 'time' && value < 1) return iso.slice(11, 19)
  return ms % DAY_MS === 0 ? iso.slice(0, 10) : `${iso.slice(0, 10)} ${iso.slice(11, 19)}`
}

function trimNumber(value: number): string {
  return String(Number(value.toPrecision(15)))
}

/** The texts that cells refer to. Phonetic readings are left out. */
export function readSharedStrings(archive: Archive, part: string): string[] {
  return childrenOf(readPart(archive, part), 'si').map(textOfItem)
}

export function textOfItem(item: XmlElement): string {
  return elementsOf(item)
    .map((child) =>
      child.name === 't' ? textOf(child) : child.name === 'r' ? textOf(childOf(child, 't')) : '',
    )
    .join('')
}
