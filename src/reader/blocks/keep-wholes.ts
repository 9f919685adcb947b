import { isWithin, type DomElement } from '../extract/dom.ts'
import { AUTHORS } from '../extract/thread-bylines.ts'
import { isDataTable } from '../markdown/markdown-table.ts'
import type { Box, PageBlocks } from './read-blocks.ts'

/** At least this share of a structure must be chosen to complete it. */
const LEAST_SHARE = 0.5
/** Blocks around an inserted structure that may be left out, such as a caption or line numbers. */
const MOST_BETWEEN = 2
/** Longer structures are not details of a text. */
const LONGEST_INSERTED = 2_500
const LONGEST_CELL = 200
const LINK_DENSITY = 0.5
/** More notes are a list of sources. */
const MOST_NOTES = 20
/** The mark of a note in the text: a number, a letter or a sign. */
const NOTE_MARK = /^\W*(\d{1,3}|[a-z*†‡§])\W*$/i
const NOTE = /^(li|p|dd|div|aside)$/
/** Data about the author of a post, such as "Joined" and "Posts". */
const PROFILE = /(^|[\s_-])(post)?(profile|user|author|poster|member)/i
const PROFILE_LEVELS = 3
const LEVELS_TO_LIST = 2

/** Blocks from one place to another, both included. */
type Span = { readonly from: number; readonly to: number }

export type Wholes = {
  /** One for each block of the page. */
  readonly kept: readonly boolean[]
  /** Boxes whose images stay without their text. */
  readonly figures: readonly number[]
}

/**
 * Completes quotes, tables, code and terms that are chosen in part, and keeps those, figures and
 * notes that belong to chosen blocks. The model judges blocks one by one, and the texts that it
 * learned from have no captions.
 */
export function keepWholes(page: PageBlocks, chosen: readonly boolean[]): Wholes {
  const kept = [...chosen]
  const figures: number[] = []
  const spans = spansOf(page)
  const notes = noteIds(page, chosen)
  const repeated = repeatedLists(page)
  page.boxes.forEach((box, at) => {
    const span = spans[at]
    if (span === undefined || box.size > LONGEST_INSERTED * 4) return
    if (isWhole(box) && isMostlyKept(page, kept, span) && !isRecord(box, repeated.has(at)))
      keep(page, kept, span)
    if (!isBetween(chosen, span)) {
      if (NOTE.test(box.tag) && isNote(box, notes)) keep(page, kept, span)
    } else if (isInserted(box)) keep(page, kept, span)
    else if (isFigure(box) && !isChosen(kept, span)) figures.push(at)
  })
  return { kept, figures }
}

/** Data about an author, or with the same names as the data of another post or item. */
function isRecord(box: Box, isRepeated: boolean): boolean {
  if (box.tag !== 'dl' && box.tag !== 'table') return false
  return isRepeated || isNamedProfile(box.element) || box.element.querySelector(AUTHORS) !== null
}

function isNamedProfile(element: DomElement): boolean {
  let around: DomElement | null = element
  for (let level = 0; around !== null && level < PROFILE_LEVELS; level += 1) {
    if (PROFILE.test(around.getAttribute('class') ?? '')) return true
    around = around.parentElement
  }
  return false
}

/** Lists of terms, and tables with a name in front of each row, whose names another one has too. */
function repeatedLists({ boxes, blocks }: PageBlocks): ReadonlySet<number> {
  const texts = new Map(blocks.map(({ box, text }) => [box, text]))
  const namesByList = new Map<number, string>()
  const rows = new Set<number>()
  boxes.forEach(({ tag, parent }, at) => {
    const isFirstValue = tag === 'td' && boxes[parent + 1]?.tag === 'th' && !rows.has(parent)
    if (isFirstValue) rows.add(parent)
    else if (tag !== 'dt') return
    const list = nearest(boxes, parent, isFirstValue ? 'table' : 'dl')
    const name = texts.get(isFirstValue ? parent + 1 : at) ?? ''
    if (list >= 0) namesByList.set(list, `${namesByList.get(list) ?? ''}${name}\n`)
  })
  const lists = [...namesByList]
  const counts = new Map<string, number>()
  for (const [, names] of lists) counts.set(names, (counts.get(names) ?? 0) + 1)
  return new Set(lists.flatMap(([list, names]) => ((counts.get(names) ?? 0) > 1 ? [list] : [])))
}

function nearest(boxes: readonly Box[], from: number, tag: string): number {
  let at = from
  for (let level = 0; level < LEVELS_TO_LIST && boxes[at]?.tag !== tag; level += 1)
    at = boxes[at]?.parent ?? -1
  return boxes[at]?.tag === tag ? at : -1
}

/** Structures that lose their meaning when a part is missing; not tables that arrange a page. */
function isWhole({ tag, element, size }: Box): boolean {
  if (tag === 'blockquote' || tag === 'pre') return true
  if (size > LONGEST_INSERTED) return false
  return tag === 'dl' || (tag === 'table' && isDataTable(element) && !hasLongCell(element))
}

/** Tables with paragraphs in their cells arrange a page. */
function hasLongCell(table: DomElement): boolean {
  return table.querySelectorAll('td').some((cell) => cell.textLength > LONGEST_CELL)
}

/** The blocks inside each box; undefined for a box without any. Parents come before their boxes. */
function spansOf({ boxes, blocks }: PageBlocks): (Span | undefined)[] {
  const spans: (Span | undefined)[] = Array.from({ length: boxes.length })
  blocks.forEach(({ box }, at) => {
    spans[box] = { from: at, to: at }
  })
  for (let at = boxes.length - 1; at > 0; at -= 1) {
    const span = spans[at]
    const parent = boxes[at]?.parent ?? -1
    if (span === undefined || parent < 0) continue
    const { from, to } = spans[parent] ?? span
    spans[parent] = { from: Math.min(from, span.from), to: Math.max(to, span.to) }
  }
  return spans
}

/** The IDs that marks of notes in chosen blocks link to. */
function noteIds({ boxes, blocks }: PageBlocks, chosen: readonly boolean[]): ReadonlySet<string> {
  const linking = new Set<DomElement>()
  blocks.forEach(({ box, inPageLinks }, at) => {
    const element = boxes[box]?.element
    if (chosen[at] === true && inPageLinks > 0 && element !== undefined) linking.add(element)
  })
  const ids = new Set<string>()
  if (linking.size === 0) return ids
  for (const link of boxes[0]?.element.querySelectorAll('a[href^="#"]') ?? [])
    if (NOTE_MARK.test(link.textContent ?? '') && isWithin(link, linking))
      ids.add((link.getAttribute('href') ?? '').slice(1))
  return ids.size > MOST_NOTES ? new Set() : ids
}

function isNote({ element, size }: Box, notes: ReadonlySet<string>): boolean {
  return size <= LONGEST_INSERTED && notes.has(element.getAttribute('id') ?? '')
}

function isMostlyKept({ blocks }: PageBlocks, kept: readonly boolean[], { from, to }: Span) {
  let [all, right] = [0, 0]
  for (let at = from; at <= to; at += 1) {
    const { size = 0, isHidden = true } = blocks[at] ?? {}
    if (isHidden) continue
    all += size
    if (kept[at] === true) right += size
  }
  return right > 0 && right >= all * LEAST_SHARE
}

/** A quote, code or a formula. */
function isInserted({ element, tag, size, linkSize }: Box): boolean {
  if (size > LONGEST_INSERTED) return false
  if (tag === 'pre') return true
  if (tag === 'blockquote') return linkSize <= size * LINK_DENSITY
  return size > 0 && element.children.length === 1 && element.children[0]?.localName === 'math'
}

function isFigure({ tag, images, size }: Box): boolean {
  return tag === 'figure' && images > 0 && size <= LONGEST_INSERTED
}

function isBetween(chosen: readonly boolean[], { from, to }: Span): boolean {
  return hasChosen(chosen, from - 1, -1) && hasChosen(chosen, to + 1, 1)
}

function hasChosen(chosen: readonly boolean[], from: number, step: 1 | -1): boolean {
  for (let distance = 0; distance <= MOST_BETWEEN; distance += 1)
    if (chosen[from + distance * step] === true) return true
  return false
}

function isChosen(kept: readonly boolean[], { from, to }: Span): boolean {
  return kept.slice(from, to + 1).includes(true)
}

function keep({ blocks }: PageBlocks, kept: boolean[], { from, to }: Span): void {
  for (let at = from; at <= to; at += 1) if (blocks[at]?.isHidden === false) kept[at] = true
}
