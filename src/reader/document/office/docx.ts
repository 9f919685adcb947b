import type { Archive } from '../archive.ts'
import { DocumentFault, type OpenDocument } from '../document.ts'
import {
  element,
  escapeHtml,
  heading,
  nestedLists,
  table,
  type Cell,
  type ListItem,
} from '../markup.ts'
import { attributeOf, childOf, childrenOf, elementsOf, pathOf, type XmlElement } from '../xml.ts'
import { readNotes, type Notes } from './docx-notes.ts'
import type { ListPlace } from './docx-numbers.ts'
import { readInline } from './docx-runs.ts'
import { readStyles, type ParagraphRole, type Styles } from './docx-styles.ts'
import {
  mainPart,
  readAppNumber,
  readOfficeMetadata,
  readPart,
  readRelations,
  relatedPart,
  unreadParts,
  type Relations,
} from './package.ts'

type Context = {
  readonly styles: Styles
  readonly relations: Relations
  readonly notes: Notes
  pageBreaks: number
}

/** Wrappers whose children are blocks of the same level. */
const TRANSPARENT = new Set([
  'sdt',
  'sdtContent',
  'ins',
  'moveTo',
  'customXml',
  'smartTag',
  'AlternateContent',
  'Choice',
])

/** Opens a Word document. Each part is one page where Word stored its page breaks. */
export function openDocx(archive: Archive): OpenDocument {
  const part = mainPart(archive, 'word/document.xml')
  const body = childOf(readPart(archive, part), 'body')
  if (body === undefined)
    throw new DocumentFault('broken', 'The document is damaged: it has no text part.')
  const relations = readRelations(archive, part)
  const related = (type: string, usual: string): string => relatedPart(relations, type) ?? usual
  const context: Context = {
    styles: readStyles(
      archive,
      related('styles', 'word/styles.xml'),
      related('numbering', 'word/numbering.xml'),
    ),
    relations,
    notes: readNotes(
      archive,
      {
        footnote: related('footnotes', 'word/footnotes.xml'),
        endnote: related('endnotes', 'word/endnotes.xml'),
      },
      readPart(archive, related('settings', 'word/settings.xml')),
    ),
    pageBreaks: 0,
  }
  return {
    kind: 'docx',
    metadata: readOfficeMetadata(archive),
    unit: 'page',
    pageCount: readAppNumber(archive, 'Pages'),
    parts: pagesOf(body, context),
    omitted: () => unreadParts(archive),
  }
}

/** The blocks up to each page break, and the notes at the end. */
function* pagesOf(body: XmlElement, context: Context): Generator<string> {
  let page: XmlElement[] = []
  let broken = 0
  for (const block of flatten(body)) {
    const breaks = countBreaks(block)
    if (breaks > 0 && page.length > 0) {
      yield blocksToHtml(page, context)
      page = []
      broken += breaks - 1
    }
    // A block across several pages counts for each of them.
    for (; broken > 0; broken -= 1) yield ''
    page.push(block)
  }
  yield blocksToHtml(page, context) + notesToHtml(context)
}

function countBreaks(block: XmlElement): number {
  let count = 0
  const visit = (node: XmlElement): void => {
    for (const child of elementsOf(node)) {
      const isBreak =
        child.name === 'lastRenderedPageBreak' ||
        (child.name === 'br' && attributeOf(child, 'type') === 'page')
      if (isBreak) count += 1
      else visit(child)
    }
  }
  visit(block)
  return count
}

function flatten(parent: XmlElement): XmlElement[] {
  return elementsOf(parent).flatMap((child) =>
    TRANSPARENT.has(child.name) ? flatten(child) : [child],
  )
}

function blocksToHtml(blocks: readonly XmlElement[], context: Context): string {
  const out: string[] = []
  let items: ListItem[] = []
  const endList = (): void => {
    out.push(nestedLists(items))
    items = []
  }
  for (const block of blocks) {
    if (block.name === 'tbl') {
      endList()
      out.push(tableToHtml(block, context))
    }
    if (block.name !== 'p') continue
    const { html, boxes } = readInline(block, context)
    const role = context.styles.roleOf(block)
    if (role.kind === 'item' && html.trim() !== '') items.push(listItem(role.place, html, context))
    else if (html.trim() !== '') {
      endList()
      out.push(role.kind === 'heading' ? numberedHeading(role, html, context) : element('p', html))
    }
    for (const box of boxes) {
      endList()
      out.push(blocksToHtml(flatten(box), context))
    }
  }
  endList()
  return out.join('\n')
}

/** A label that is not a plain number stands in the text, because Markdown counts in numbers only. */
function listItem(place: ListPlace, html: string, { styles }: Context): ListItem {
  const { level } = place
  const { number, label } = styles.numbering.count(place)
  const isOrdered = label === '' ? isNumber(place, styles) : PLAIN_NUMBER.test(label)
  return isOrdered || label === ''
    ? { level, isOrdered, html, start: number }
    : { level, isOrdered: false, html: `${escapeHtml(label)} ${html}` }
}

const PLAIN_NUMBER = /^(0|[1-9]\d*)[.)]?$/

/** Numbers without a text show nothing in Word; they still order their list. */
function isNumber(place: ListPlace, { numbering }: Styles): boolean {
  return numbering.levelOf(place).format !== 'bullet'
}

function numberedHeading(
  { level, place }: Extract<ParagraphRole, { kind: 'heading' }>,
  html: string,
  { styles }: Context,
): string {
  const label = place === undefined ? '' : styles.numbering.count(place).label
  return heading(level, `${label === '' ? '' : `${escapeHtml(label)} `}${plainHeading(html)}`)
}

/** A heading is bold anyway. */
function plainHeading(html: string): string {
  return html.replace(/<\/?strong>/g, '').replace(/<br>/g, ' ')
}

function tableToHtml(block: XmlElement, context: Context): string {
  const rows = flatten(block).filter(({ name }) => name === 'tr')
  const grid = rows.map((row) => rowCells(row))
  return table(
    grid.map((cells, index) =>
      cells
        .filter(({ merge }) => merge !== 'continued')
        .map(({ cell, column, across, merge }): Cell => ({
          html: blocksToHtml(flatten(cell), context),
          across,
          down: merge === 'first' ? countDown(grid, index, column) : 1,
        })),
    ),
  )
}

type PlacedCell = {
  readonly cell: XmlElement
  readonly column: number
  readonly across: number
  readonly merge: 'none' | 'first' | 'continued'
}

function rowCells(row: XmlElement): PlacedCell[] {
  let column = Number(attributeOf(pathOf(row, 'trPr', 'gridBefore'), 'val') ?? 0) || 0
  return flatten(row)
    .filter(({ name }) => name === 'tc')
    .map((cell) => {
      const format = childOf(cell, 'tcPr')
      const across = Math.max(1, Number(attributeOf(childOf(format, 'gridSpan'), 'val') ?? 1) || 1)
      const vertical = childOf(format, 'vMerge')
      const merge =
        vertical === undefined
          ? 'none'
          : attributeOf(vertical, 'val') === 'restart'
            ? 'first'
            : 'continued'
      const placed: PlacedCell = { cell, column, across, merge }
      column += across
      return placed
    })
}

function countDown(grid: readonly PlacedCell[][], from: number, column: number): number {
  let down = 1
  while (
    grid[from + down]?.some((cell) => cell.column === column && cell.merge === 'continued') === true
  )
    down += 1
  return down
}

function notesToHtml(context: Context): string {
  return context.notes
    .used()
    .map(({ element: note, relations, label }) => {
      const text = childrenOf(note, 'p')
        .map((paragraph) => readInline(paragraph, { ...context, relations }).html.trim())
        .join(' ')
      const mark = label === '' ? '' : `[${escapeHtml(label)}] `
      return element('p', text === '' ? '' : mark + text)
    })
    .join('\n')
}
