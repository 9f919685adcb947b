import type { Archive } from '../archive.ts'
import { attributeOf, childOf, childrenOf, elementsOf, textOf, type XmlElement } from '../xml.ts'
import { readPart } from './package.ts'

/** How a number format shows numbers. */
export type NumberKind = 'plain' | 'percent' | 'date' | 'time' | 'date_time'

/** How cells show numbers. `code` is a format of digits, such as "00000" or "#,##0.00". */
export type NumberFormat = { readonly kind: NumberKind; readonly code?: string }
export const PLAIN: NumberFormat = { kind: 'plain' }

/** The codes of Excel's own formats. */
const CODES: Readonly<Record<number, string>> = {
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  37: '#,##0',
  38: '#,##0',
  39: '#,##0.00',
  40: '#,##0.00',
}
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
export function readCellStyles(archive: Archive, part: string): NumberFormat[] {
  const root = readPart(archive, part)
  const own = new Map(
    childrenOf(childOf(root, 'numFmts'), 'numFmt').map((format): [string, string] => [
      attributeOf(format, 'numFmtId') ?? '',
      attributeOf(format, 'formatCode') ?? '',
    ]),
  )
  return childrenOf(childOf(root, 'cellXfs'), 'xf').map((style) => {
    const id = attributeOf(style, 'numFmtId') ?? '0'
    const code = own.get(id) ?? CODES[Number(id)]
    const kind = code === undefined ? BUILT_IN[Number(id)] : kindOfCode(code)
    return { kind: kind ?? 'plain', ...(code === undefined ? {} : { code }) }
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
export function formatNumber(text: string, { kind, code }: NumberFormat, is1904: boolean): string {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value)) return text
  if (kind === 'percent') return `${trimNumber(value * 100)}%`
  if (kind === 'plain')
    return (code === undefined ? undefined : toDigits(value, code)) ?? trimNumber(value)
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

/** Digits of a code with the text around them: "kg", a currency, a fixed separator. */
const DIGITS = /^([^#0?]*)([#0?,]*[#0?])(?:\.([#0?]*))?(,*)([^#0?]*)$/
const LITERAL = /"([^"]*)"|\\(.)|\[\$([^\]-]*)[^\]]*\]|\[[^\]]*\]|_.|\*./g

/** A number in a format of digits; undefined for codes that do not show digits in one place. */
function toDigits(value: number, code: string): string | undefined {
  const sections = code.split(/;(?=(?:[^"]*"[^"]*")*[^"]*$)/)
  const isOwnNegative = value < 0 && sections.length > 1
  const section = (value === 0 ? sections[2] : undefined) ?? sections[isOwnNegative ? 1 : 0] ?? ''
  const texts: string[] = []
  const bare = section.replace(
    LITERAL,
    (_all, quoted?: string, escaped?: string, currency?: string) => {
      texts.push(quoted ?? escaped ?? currency ?? '')
      return '\u0001'
    },
  )
  const found = DIGITS.exec(bare)
  if (found === null || /general|[e@/]/i.test(bare)) return undefined
  const [, before = '', whole = '', decimals = '', thousands = '', after = ''] = found
  const least = (digits: string): number => digits.replace(/[^0]/g, '').length
  const fixed = Math.abs(value / 1_000 ** thousands.length).toFixed(Math.min(decimals.length, 20))
  if (fixed.includes('e')) return undefined
  const [left = '', right = ''] = fixed.split('.')
  const padded = (left === '0' && least(whole) === 0 ? '' : left).padStart(least(whole), '0')
  const grouped = whole.includes(',') ? padded.replace(/\B(?=(\d{3})+$)/g, ',') : padded
  const optional = decimals.length - least(decimals)
  const fraction = right.replace(new RegExp(`0{0,${optional}}$`), '')
  const sign = value < 0 && !isOwnNegative && /[1-9]/.test(fixed) ? '-' : ''
  const digits = `${sign}${grouped}${fraction === '' ? '' : `.${fraction}`}`
  return `${before}${digits}${after}`.replaceAll('\u0001', () => texts.shift() ?? '').trim()
}
