import { textOfRow, type Row } from './rows.ts'

/** Sizes and bookmarks of the whole document, which decide about headings. */
export type Typography = {
  /** The size of most of the text, in points. */
  readonly bodySize: number
  /** Sizes of headings, largest first. */
  readonly headingSizes: readonly number[]
  /** Levels of the bookmarks, by their normalized titles. */
  readonly outline: ReadonlyMap<string, number>
}

const MAX_HEADING_CHARS = 200
const HEADING_RATIO = 1.12
export const LEADER = /(\s*[.·…_]){4,}\s*/

/** A line of a table of contents: a title, dots and a page number. */
export function isContents(row: Row): boolean {
  return LEADER.test(textOfRow(row))
}

/** The level of a row that is a heading by the bookmarks or by its size. */
export function headingLevel(
  row: Row,
  { bodySize, headingSizes, outline }: Typography,
): number | undefined {
  const text = textOfRow(row)
  if (text.length > MAX_HEADING_CHARS || row.isMonospace || isContents(row)) return undefined
  const bookmarked = outline.get(normalizeTitle(text))
  if (bookmarked !== undefined) return bookmarked
  if (row.size < bodySize * HEADING_RATIO || !/\p{L}/u.test(text)) return undefined
  const rank = headingSizes.findIndex((size) => row.size >= size - 0.01)
  return Math.min(6, rank === -1 ? headingSizes.length : rank + 1)
}

/** Whether a row may be a heading by its size. The sizes of such rows become the levels. */
export function isHeadingSize(row: Row, bodySize: number): boolean {
  return headingLevel(row, { bodySize, headingSizes: [], outline: new Map() }) !== undefined
}

/** A title as bookmarks and pages have it in common: without its number, case and punctuation. */
export function normalizeTitle(title: string): string {
  return title
    .trim()
    .replace(/^(\d+|[A-Z](?=\.))(\.\d+)*\.?\s+/, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')
}
