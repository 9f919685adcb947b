import type { PageFacts } from './page-facts.ts'
import { findProseCore, type ProseCore } from './prose-core.ts'
import type { Block, Box, PageBlocks } from './read-blocks.ts'
import { comparableWords, overlap, readTextFigures, type TextFigures } from './text-figures.ts'

const TAGS = [
  'p',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'li',
  'td',
  'th',
  'div',
  'dt',
  'dd',
  'pre',
  'blockquote',
  'figcaption',
  'section',
  'summary',
]
/** Longer distances count as this one. */
export const FARTHEST_BLOCK = 60

type Repeated = { blocks: number; size: number; linkSize: number }
type Heading = {
  readonly at: number
  readonly level: number
  readonly elsewhere: number
  readonly title: number
}
/** Numbers about all blocks of a page, by block or box. */
export type BlockContext = {
  readonly boxes: readonly Box[]
  readonly figures: readonly TextFigures[]
  readonly tags: readonly number[]
  readonly core: ProseCore
  readonly whole: number
  /** Text before each block. */
  readonly before: readonly number[]
  readonly repeats: ReadonlyMap<string, number>
  readonly siblings: ReadonlyMap<string, number>
  readonly sameClass: ReadonlyMap<string, Repeated>
  readonly headings: readonly (Heading | undefined)[]
  /** The heading of rank 1 or 2 above each block. */
  readonly sections: readonly (Heading | undefined)[]
  readonly titleAt: number
  readonly titleOverlaps: readonly number[]
  readonly descriptionOverlaps: readonly number[]
  readonly sinceProse: readonly number[]
  readonly untilProse: readonly number[]
}

export function readBlockContext({ boxes, blocks }: PageBlocks, facts: PageFacts): BlockContext {
  const figures = blocks.map(readTextFigures)
  const compared = blocks.map(({ text }) => comparableWords(text))
  const titleOverlaps = compared.map((words) => overlap(words, facts.titleWords))
  const levels = blocks.map(({ box }) => Number(/^h([1-6])$/.exec(boxes[box]?.tag ?? '')?.[1] ?? 0))
  const headings = levels.map((level, at) => ({
    at,
    level,
    elsewhere: figures[at]?.isElsewhere ?? 0,
    title: titleOverlaps[at] ?? 0,
  }))
  let before = 0
  return {
    boxes,
    figures,
    titleOverlaps,
    tags: blocks.map(({ box }) => TAGS.indexOf(boxes[box]?.tag ?? '')),
    core: findProseCore(boxes, blocks, figures),
    whole: Math.max(1, boxes[0]?.size ?? 1),
    before: blocks.map(({ size }) => (before += size) - size),
    repeats: countEach(blocks.map(({ text }) => text)),
    siblings: countEach(boxes.map(({ signature }) => signature)),
    sameClass: groupByClass(boxes, blocks),
    headings: lastOf(headings, 6),
    sections: lastOf(headings, 2),
    titleAt: findTitle(levels, titleOverlaps),
    descriptionOverlaps: compared.map((words) => overlap(words, facts.descriptionWords)),
    sinceProse: distances(figures.map(({ isProse }) => isProse)),
    untilProse: distances(figures.map(({ isProse }) => isProse).toReversed()).toReversed(),
  }
}

/** For each place, the last heading up to it of at most this level. */
function lastOf(headings: readonly Heading[], most: number): (Heading | undefined)[] {
  let last: Heading | undefined
  return headings.map((heading) => {
    if (heading.level > 0 && heading.level <= most) last = heading
    return last
  })
}

/** The first heading of the highest rank that shares most words with the title; -1 without one. */
function findTitle(levels: readonly number[], overlaps: readonly number[]): number {
  const isTitle = (at: number, most: number): boolean =>
    (levels[at] ?? 0) > 0 && (levels[at] ?? 0) <= most && (overlaps[at] ?? 0) > 0.6
  const first = levels.findIndex((_, at) => isTitle(at, 1))
  return first >= 0 ? first : levels.findIndex((_, at) => isTitle(at, 6))
}

/** Steps since the last marked place. */
function distances(marks: readonly boolean[]): number[] {
  let since = FARTHEST_BLOCK
  return marks.map((isMarked) => {
    since = isMarked ? 0 : Math.min(FARTHEST_BLOCK, since + 1)
    return since
  })
}

function countEach(keys: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  return counts
}

/** Blocks whose box and parent have the same tags and classes, anywhere on the page. */
function groupByClass(boxes: readonly Box[], blocks: readonly Block[]): Map<string, Repeated> {
  const groups = new Map<string, Repeated>()
  for (const { box, size, linkSize } of blocks) {
    const key = classKey(boxes, box)
    const group = groups.get(key) ?? { blocks: 0, size: 0, linkSize: 0 }
    group.blocks += 1
    group.size += size
    group.linkSize += linkSize
    groups.set(key, group)
  }
  return groups
}

export function classKey(boxes: readonly Box[], at: number): string {
  const box = boxes[at]
  const nameOf = (one: Box | undefined): string => one?.signature.replace(/^\S+ /, '') ?? ''
  return `${nameOf(box)} ${nameOf(boxes[box?.parent ?? -1])}`
}
