/** Applies the options of a call to the content of a row: links, images, text, length and chunks. */
import { restOf } from '../../catalog/vocabulary/text-rest.ts'
import type { PageRow } from './page-row.ts'

export type ContentOptions = {
  readonly format: 'markdown' | 'html' | 'text'
  readonly links?: boolean
  readonly images?: boolean
  readonly max_chars?: number
  readonly chunk_chars?: number
}
export type Chunk = {
  /** The headings above the chunk, outermost first, joined by " > ". Empty before the first one. */
  readonly heading: string
  readonly text: string
}

const TAG_LINK = /<\/?a\b[^<>]*>/gi
const TAG_IMAGE = /<img\b[^<>]*>/gi
const MARK_IMAGE = /!\[[^[\]]*\]\([^()\s]*\)/g
/** A link whose text may hold escaped brackets or one pair of brackets. */
const MARK_LINK = /(?<![\\!])\[((?:\\.|[^[\]\\]|\[[^[\]]*\])*)\]\([^()\s]*\)/g
const HEADING = /^(#{1,6}) +(\S.*)$/
const FENCE = /^ {0,3}(`{3,}|~{3,})/

/** The row with its content as the call requests it. Rows without content stay as they are. */
export function shapeRow(row: PageRow, options: ContentOptions): PageRow {
  if (row.content === null) return row
  const { format, max_chars: most = Number.POSITIVE_INFINITY, chunk_chars: chunkChars } = options
  const kept = withoutParts(row.content, row.format, options)
  const isPlain = format === 'text' && row.format === 'markdown'
  const write = (text: string) => (isPlain ? toPlainText(text) : text)
  const whole = write(kept)
  const content = cut(whole, most, row.format)
  const rest = restOf(whole, content)
  return {
    ...row,
    content,
    format: isPlain ? 'text' : row.format,
    chars: content.length,
    ...(rest === undefined ? {} : { truncated: true, rest }),
    ...(chunkChars === undefined || row.format === 'html'
      ? {}
      : {
          chunks: chunksOf(cut(kept, most, row.format), chunkChars).map(({ heading, text }) => ({
            heading,
            text: write(text),
          })),
        }),
  }
}

function withoutParts(
  content: string,
  format: PageRow['format'],
  { links = true, images = true }: ContentOptions,
): string {
  const isHtml = format === 'html'
  const pictured = images ? content : content.replace(isHtml ? TAG_IMAGE : MARK_IMAGE, '')
  if (links) return pictured
  return isHtml
    ? pictured.replace(TAG_LINK, '')
    : pictured.replace(MARK_LINK, (_whole, text: string) => text)
}

/** Cuts at the end of a paragraph, element or word, if one ends in the last fifth before the limit. */
function cut(text: string, most: number, format: PageRow['format']): string {
  if (text.length <= most) return text
  const start = text.slice(0, most)
  const ends =
    format === 'html'
      ? [(/^[^]*<\/\w+>/.exec(start)?.[0] ?? '').length]
      : ['\n\n', '\n', ' '].map((end) => start.lastIndexOf(end))
  const end = ends.find((at) => at >= most * 0.8)
  return end === undefined ? start : start.slice(0, end).trimEnd()
}

/** Markdown as plain text: the words without their signs. Code keeps its lines. */
export function toPlainText(markdown: string): string {
  let fence = ''
  const lines = markdown.split('\n').flatMap((line) => {
    const mark = FENCE.exec(line)?.[1] ?? ''
    if (fence === '' && mark !== '') {
      fence = mark
      return []
    }
    if (fence !== '') {
      if (mark.startsWith(fence)) {
        fence = ''
        return []
      }
      return [line]
    }
    return /^\|( ?---+ ?\|)+$/.test(line) ? [] : [plainLine(line)]
  })
  return lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

function plainLine(line: string): string {
  const cells =
    line.startsWith('| ') && line.endsWith(' |') ? line.slice(2, -2).split(' | ') : [line]
  return cells
    .map((cell) =>
      cell
        .replace(MARK_IMAGE, '')
        .replace(MARK_LINK, (_whole, text: string) => text)
        .replace(/^(\s*)(#{1,6} +|> ?)+/, '$1')
        .replace(/(?<!\\)(\*\*|~~|`)/g, '')
        .replace(/(?<![\\*\w])\*(?=\S)|(?<=[^\s\\*])\*(?![*\w])/g, '')
        .replace(/<\/?(sup|sub)>|<br>/g, ' ')
        .replace(/\\([!-/:-@[-`{-~])/g, '$1')
        .trimEnd(),
    )
    .join('\t')
}

/**
 * Splits a text at its headings, and longer sections at paragraphs, into chunks of at most `most`
 * characters. A single longer paragraph is cut.
 */
export function chunksOf(text: string, most: number): Chunk[] {
  const chunks: Chunk[] = []
  const headings: { readonly level: number; readonly words: string }[] = []
  let heading = ''
  let paragraphs: string[] = []
  const endSection = (): void => {
    for (const part of packed(paragraphs, most)) chunks.push({ heading, text: part })
    paragraphs = []
  }
  for (const block of blocksOf(text)) {
    const [, signs, words] = HEADING.exec(block.split('\n', 1)[0] ?? '') ?? []
    if (signs !== undefined && words !== undefined) {
      endSection()
      while ((headings.at(-1)?.level ?? 0) >= signs.length) headings.pop()
      headings.push({ level: signs.length, words: toPlainText(words) })
      heading = headings.map(({ words: name }) => name).join(' > ')
    }
    paragraphs.push(block)
  }
  endSection()
  return chunks
}

/** Paragraphs; a fenced block stays whole. */
function blocksOf(text: string): string[] {
  const blocks: string[] = []
  let fence = ''
  let block: string[] = []
  const end = (): void => {
    if (block.length > 0) blocks.push(block.join('\n'))
    block = []
  }
  for (const line of text.split('\n')) {
    const mark = FENCE.exec(line)?.[1] ?? ''
    if (fence === '') fence = mark
    else if (mark.startsWith(fence)) fence = ''
    if (line === '' && fence === '') end()
    else block.push(line)
  }
  end()
  return blocks
}

function packed(paragraphs: readonly string[], most: number): string[] {
  const parts: string[] = []
  let part = ''
  for (const paragraph of paragraphs.flatMap((one) => sliced(one, most))) {
    if (part !== '' && part.length + paragraph.length + 2 > most) {
      parts.push(part)
      part = ''
    }
    part = part === '' ? paragraph : `${part}\n\n${paragraph}`
  }
  return part === '' ? parts : [...parts, part]
}

function sliced(text: string, most: number): string[] {
  const parts: string[] = []
  for (let rest = text; rest !== '';) {
    const part = cut(rest, most, 'text')
    parts.push(part)
    rest = rest.slice(part.length).trimStart()
  }
  return parts
}
