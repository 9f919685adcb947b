import { mean, wordF1, wordsOf } from './gold.ts'

const LINK = /(?<!!)\[([^\]]+)\]\(([^)\s]+)[^)]*\)/g
/** The gold markdown has no images. */
const IMAGE = /!\[[^\]]*\]\([^)]*\)/g
/** A line break in a table cell. */
const BREAK = /<br\s*\/?>/gi
const QUOTE = /^\s*>[\s>]*/
const ITEM = String.raw`\s*(?:[-*+]|\d+[.)]) `
const ITEM_LINE = new RegExp(`^${ITEM}(.*)`)
const HEADING_LINE = new RegExp(`^(?:${ITEM})*\\s*#{1,6} (.*)`)
const MAX_WORDS = 12
const PARTS = ['text', 'headings', 'items', 'links', 'rows'] as const

type Part = (typeof PARTS)[number]
/** Comparable tokens of each part: the words of the text, one token for each heading, list item, link and table row. */
export type Structure = Readonly<Record<Part, readonly string[]>>

/** F1 of each part that the expected structure has. */
export type StructureScore = Readonly<Partial<Record<Part, number>>>

/** The structure of markdown outside code blocks. Bold runs and images do not count. */
export function structureOf(markdown: string): Structure {
  const found: Record<Part, string[]> = { text: [], headings: [], items: [], links: [], rows: [] }
  let inCode = false
  for (const line of markdown.split('\n')) {
    if (/^\s*(```|~~~)/.test(line)) {
      inCode = !inCode
    } else if (!inCode) {
      addLine(found, line)
    }
  }
  return found
}

/** A heading or an item counts in quotes and items too. */
function addLine(found: Record<Part, string[]>, source: string): void {
  const line = source.replace(IMAGE, ' ').replace(BREAK, ' ').replace(QUOTE, '')
  const words = (text: string): string[] => wordsOf(text.replace(LINK, '$1'))
  const add = (part: Part, text: string | undefined): void => {
    const start = words(text ?? '').slice(0, MAX_WORDS)
    if (start.length > 0) found[part].push(start.join(' '))
  }
  found.text.push(...words(line))
  add('headings', HEADING_LINE.exec(line)?.[1])
  add('items', ITEM_LINE.exec(line)?.[1])
  if (/^\s*\|.*\|/.test(line) && !/^[\s|:-]+$/.test(line)) add('rows', line)
  for (const [, text] of line.matchAll(LINK)) add('links', text)
}

export function scoreStructure(expected: Structure, found: Structure): StructureScore {
  return Object.fromEntries(
    PARTS.filter((part) => expected[part].length > 0).map((part) => [
      part,
      wordF1(expected[part], found[part]),
    ]),
  )
}

/** The mean F1 of each part over the pages whose gold markdown has it, and the mean of the parts. */
export function summarizeStructure(scores: readonly StructureScore[]) {
  const parts = PARTS.map((part) => ({
    part,
    f1: mean(scores.flatMap((score) => score[part] ?? [])),
  }))
  return { all: mean(parts.map(({ f1 }) => f1)), parts }
}
