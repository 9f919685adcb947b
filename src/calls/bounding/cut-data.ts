/**
 * Shortens the data of an answer to a number of characters of JSON. Long texts are cut first, all to
 * the same length, because their start is what a model needs. Then lists lose their last items.
 */
import { isFields } from '../../lib/json-fields.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'

export type Cut =
  | { readonly kind: 'text'; readonly field: string; readonly shown: number; readonly text: string }
  | {
      readonly kind: 'list'
      readonly field: string
      readonly shown: number
      readonly total: number
    }
  | { readonly kind: 'all' }

export type CutData = { readonly data: Data; readonly cuts: readonly Cut[] }

type Path = readonly (string | number)[]
/** `chars`: its length as JSON. */
type Text = { readonly text: string; readonly chars: number }
type List = { readonly path: Path; readonly items: readonly unknown[]; readonly chars: number }

/** Texts stay at least this long, so that each remains recognizable. */
const SHORTEST_TEXT = 500
/** A page of vendor data nests lists a few levels deep. */
const MOST_LISTS = 20

/** Data of at most `most` characters of JSON, and what it lost. Data that fits is returned as it is. */
export function cutData(data: Data, most: number): CutData {
  const size = sizeOf(data)
  if (size <= most) return { data, cuts: [] }
  const texts = cutTexts(data, most)
  if (sizeOf(texts.data) <= most) return texts
  const lists = cutLists(texts.data, most)
  return sizeOf(lists.data) <= most
    ? { data: lists.data, cuts: [...texts.cuts, ...lists.cuts] }
    : { data: {}, cuts: [{ kind: 'all' }] }
}

function cutTexts(data: Data, most: number): CutData {
  const texts = findTexts(data).filter(({ text }) => text.length > SHORTEST_TEXT)
  let wanted = most
  let cut: CutData = { data, cuts: [] }
  // A second try corrects the estimate, where the cut parts have fewer escapes than the others.
  for (let turn = 0; turn < 2 && texts.length > 0; turn += 1) {
    cut = shortenTexts(data, longestFitting(texts, sizeOf(data) - wanted))
    const excess = sizeOf(cut.data) - most
    if (excess <= 0) break
    wanted -= excess
  }
  return cut
}

/** The length to which the texts are cut so that they lose `excess` characters of JSON, estimated by the share of escapes in each. */
function longestFitting(texts: readonly Text[], excess: number): number {
  const saved = (length: number) =>
    texts.reduce((sum, { text, chars }) => sum + chars * Math.max(0, 1 - length / text.length), 0)
  let low = SHORTEST_TEXT
  let high = texts.reduce((longest, { text }) => Math.max(longest, text.length), SHORTEST_TEXT)
  while (high - low > 10) {
    const middle = Math.floor((low + high) / 2)
    if (saved(middle) >= excess) low = middle
    else high = middle
  }
  return low
}

function shortenTexts(data: Data, length: number): CutData {
  const cuts: Cut[] = []
  const shorten = (value: unknown, path: Path): unknown => {
    if (typeof value === 'string') {
      if (value.length <= length) return value
      const shown = cutText(value, length)
      cuts.push({ kind: 'text', field: nameOf(path), shown: shown.length, text: value })
      return shown
    }
    if (Array.isArray(value))
      return value.map((item: unknown, index) => shorten(item, [...path, index]))
    if (!isFields(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, shorten(item, [...path, key])]),
    )
  }
  return { data: shorten(data, []) as Data, cuts }
}

/** At the end of a paragraph, a line or a word if one is near, and never within a character. */
function cutText(text: string, length: number): string {
  const least = Math.floor(length * 0.9)
  const head = text.slice(0, length)
  for (const end of ['\n\n', '\n', ' ']) {
    const at = head.lastIndexOf(end)
    if (at >= least) return head.slice(0, at + end.length)
  }
  return /[\ud800-\udbff]$/.test(head) ? head.slice(0, -1) : head
}

function cutLists(data: Data, most: number): CutData {
  let cut: unknown = data
  const cuts: Cut[] = []
  for (let turn = 0; turn < MOST_LISTS; turn += 1) {
    const excess = sizeOf(cut) - most
    const longest = findLists(cut, []).sort((a, b) => b.chars - a.chars)[0]
    if (excess <= 0 || longest === undefined) break
    const shown = countFitting(longest, excess)
    cut = replaceAt(cut, longest.path, longest.items.slice(0, shown))
    cuts.push({
      kind: 'list',
      field: nameOf(longest.path),
      shown,
      total: longest.items.length,
    })
  }
  return { data: cut as Data, cuts }
}

/** How many of the first items stay when the list loses `excess` characters; at least one item goes. */
function countFitting({ items, chars }: List, excess: number): number {
  let remaining = chars
  let count = items.length
  while (count > 0 && (count === items.length || chars - remaining < excess)) {
    count -= 1
    remaining -= sizeOf(items[count]) + 1
  }
  return count
}

function findTexts(value: unknown): Text[] {
  if (typeof value === 'string') return [{ text: value, chars: sizeOf(value) }]
  return entriesOf(value).flatMap(([, item]) => findTexts(item))
}

/** The non-empty lists that are in no other list. */
function findLists(value: unknown, path: Path): List[] {
  if (Array.isArray(value))
    return value.length === 0 ? [] : [{ path, items: value, chars: sizeOf(value) }]
  return entriesOf(value).flatMap(([key, item]) => findLists(item, [...path, key]))
}

function entriesOf(value: unknown): (readonly [string | number, unknown])[] {
  if (Array.isArray(value)) return value.map((item, index) => [index, item] as const)
  return isFields(value) ? Object.entries(value) : []
}

function replaceAt(value: unknown, path: Path, replacement: unknown): unknown {
  const [key, ...rest] = path
  if (key === undefined) return replacement
  if (Array.isArray(value))
    return value.map((item: unknown, index) =>
      index === key ? replaceAt(item, rest, replacement) : item,
    )
  return isFields(value) ? { ...value, [key]: replaceAt(value[key], rest, replacement) } : value
}

function nameOf(path: Path): string {
  return path
    .map((key, index) => (typeof key === 'number' ? `[${key}]` : index === 0 ? key : `.${key}`))
    .join('')
}

function sizeOf(value: unknown): number {
  return JSON.stringify(value)?.length ?? 0
}
