/** The result of any action for people: rows as a table, one row or an object as a list, long texts in full. */
import type { Data } from '../../../sdk/src/index.ts'
import { safeLine, safeText } from './safe-text.ts'
import { cut, facts, table } from './table.ts'

const LONG_TEXT = 200
const MOST_LINES = 40
const MOST_ROWS = 50
/** Levels of inner objects that are shown. */
const DEEPEST = 3
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
  const found = findList(data, 0)
  if (found === null) return renderObject(data, width)
  const [only, ...more] = found.list
  const main =
    only !== undefined && more.length === 0
      ? renderObject(only, width)
      : renderList(found.list, width)
  const others = renderObject(found.rest, width)
  return others === '' ? main : `${main}\n\n${others}`
}

type FoundList = { readonly list: readonly Data[]; readonly rest: Data }

/** The list that a person wants to see: one with a usual name, or the longest; then those of inner objects. */
function findList(data: Data, depth: number): FoundList | null {
  const lists = Object.entries(data).flatMap(([name, value]) =>
    Array.isArray(value) && value.length > 0 && value.every(isObject)
      ? [{ name, list: value }]
      : [],
  )
  const usual = lists.find(({ name }) => USUAL_LISTS.includes(name))
  const longest = lists.toSorted((one, other) => other.list.length - one.list.length)[0]
  const own = usual ?? longest
  if (own !== undefined) return { list: own.list, rest: without(data, own.name) }
  if (depth + 1 >= DEEPEST) return null
  for (const [name, value] of Object.entries(data)) {
    const inner = isObject(value) ? findList(value, depth + 1) : null
    if (inner !== null) return { list: inner.list, rest: { ...data, [name]: inner.rest } }
  }
  return null
}

const without = (data: Data, name: string): Data =>
  Object.fromEntries(Object.entries(data).filter(([other]) => other !== name))

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

/** Short values as a list, those of inner objects included, then long texts in full. */
function renderObject(data: Data, width: number): string {
  const rows = flatten(data, '', 0)
  const isLong = ([, value]: Row): boolean =>
    typeof value === 'string' && (value.length > LONG_TEXT || value.trim().includes('\n'))
  const short = rows.filter((row) => !isLong(row))
  const nameWidth = Math.max(0, ...short.map(([name]) => name.length))
  const most = Math.max(20, width - nameWidth - 2)
  const list = facts(
    short
      .slice(0, MOST_LINES)
      .map(([name, value]) => [safeLine(name), cut(safeLine(scalarText(value)), most)]),
  )
  const more =
    short.length > MOST_LINES ? `… ${short.length - MOST_LINES} more fields with --json` : ''
  const texts = rows
    .filter(isLong)
    .map(([name, value]) => `${safeLine(name)}:\n${shorten(safeText(String(value)))}`)
  return [[list, more].filter((part) => part !== '').join('\n'), ...texts]
    .filter((part) => part !== '')
    .join('\n\n')
}

/** The fields of inner objects as "email.result". An object that repeats an earlier one is left out. */
function flatten(data: Data, path: string, depth: number): readonly Row[] {
  const seen = new Set<string>()
  return Object.entries(data).flatMap(([name, value]): readonly Row[] => {
    if (isEmpty(value)) return []
    if (!isObject(value)) return [[path + name, value]]
    const text = JSON.stringify(value)
    if (seen.has(text)) return []
    seen.add(text)
    return depth + 1 < DEEPEST
      ? flatten(value, `${path}${name}.`, depth + 1)
      : [[path + name, text]]
  })
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
