/** The result of any action for people: rows as a table, one row or an object as a list, long texts in full. */
import type { Data } from '../../../sdk/src/index.ts'
import { safeLine, safeText } from './safe-text.ts'
import { cut, facts, table } from './table.ts'

const LONG_TEXT = 200
const MOST_LINES = 40
const MOST_ROWS = 50
/** Columns that people look for first. */
const FIRST = [
  'title',
  'name',
  'full_name',
  'filename',
  'url',
  'link',
  'address',
  'email',
  'status',
  'price',
  'date',
  'score',
]
const USUAL_LISTS = ['rows', 'results', 'hits', 'items', 'data', 'files']

const isObject = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isScalar = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value)

type Row = readonly [string, unknown]

export function renderData(data: unknown, width: number): string {
  if (!isObject(data))
    return Array.isArray(data) ? renderList(data, width) : safeText(scalarText(data))
  const name = findList(data)
  if (name === null) return renderObject(data, width)
  const list = data[name] as readonly Data[]
  const rest = Object.fromEntries(Object.entries(data).filter(([other]) => other !== name))
  const [only] = list
  const main =
    list.length === 1 && only !== undefined ? renderObject(only, width) : renderList(list, width)
  const others = renderObject(rest, width)
  return others === '' ? main : `${main}\n\n${others}`
}

/** The list that a person wants to see: a usual name, or the longest. Null without a list of objects. */
function findList(data: Data): string | null {
  const lists = Object.entries(data).flatMap(([name, value]) =>
    Array.isArray(value) && value.length > 0 && value.every(isObject)
      ? [{ name, length: value.length }]
      : [],
  )
  const usual = USUAL_LISTS.find((name) => lists.some((list) => list.name === name))
  return usual ?? lists.toSorted((one, other) => other.length - one.length)[0]?.name ?? null
}

function renderList(list: readonly unknown[], width: number): string {
  if (list.length === 0) return 'No rows.'
  if (!list.every(isObject))
    return list
      .slice(0, MOST_ROWS)
      .map((one) => safeLine(scalarText(one)))
      .join('\n')
  const names = columnsOf(list)
  const rows = list.slice(0, MOST_ROWS).map((row) => names.map((name) => scalarText(row[name])))
  const more = list.length - rows.length
  return `${table(names, rows, width)}${more > 0 ? `\n… ${more} more rows with --json` : ''}`
}

/** Fields with a plain value in some row: those that people look for first, long texts last, no repetition. */
function columnsOf(list: readonly Data[]): readonly string[] {
  const names = [...new Set(list.flatMap((row) => Object.keys(row)))].filter((name) =>
    list.some((row) => isScalar(row[name]) && row[name] !== ''),
  )
  const isLong = (name: string): boolean =>
    list.some((row) => typeof row[name] === 'string' && row[name].length > LONG_TEXT)
  const rank = (name: string): number => {
    if (isLong(name)) return FIRST.length + 1
    return FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length
  }
  const sorted = names.toSorted((one, other) => rank(one) - rank(other))
  return sorted.filter(
    (name, at) =>
      list.length < 2 ||
      !sorted.slice(0, at).some((earlier) => list.every((row) => row[earlier] === row[name])),
  )
}

/** Short values as a list, then long texts in full. */
function renderObject(data: Data, width: number): string {
  const pairs = Object.entries(data).filter(([, value]) => !isEmpty(value))
  const isLong = ([, value]: Row): boolean =>
    typeof value === 'string' && (value.length > LONG_TEXT || value.trim().includes('\n'))
  const short = pairs.filter((pair) => !isLong(pair))
  const nameWidth = Math.max(0, ...short.map(([name]) => name.length))
  const list = facts(
    short.map(([name, value]) => [
      name,
      cut(safeLine(scalarText(value)), Math.max(20, width - nameWidth - 2)),
    ]),
  )
  const texts = pairs
    .filter(isLong)
    .map(([name, value]) => `${name}:\n${shorten(safeText(String(value)))}`)
  return [list, ...texts].filter((part) => part !== '').join('\n\n')
}

function isEmpty(value: unknown): boolean {
  const isVoid = value === null || value === undefined || value === ''
  return isVoid || (Array.isArray(value) && value.length === 0)
}

function shorten(text: string): string {
  const lines = text.trim().split('\n')
  if (lines.length <= MOST_LINES) return lines.join('\n')
  return `${lines.slice(0, MOST_LINES).join('\n')}\n… ${lines.length - MOST_LINES} more lines with --json`
}

function scalarText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value) && value.every(isScalar)) return value.join(', ')
  if (Array.isArray(value))
    return `${value.length} ${value.length === 1 ? 'entry' : 'entries'} (--json)`
  return typeof value === 'string' ? value : JSON.stringify(value)
}
