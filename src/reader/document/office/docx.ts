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
import { readInline } from './docx-runs.ts'
import { readStyles, type ParagraphRole, type Styles } from './docx-styles.ts'
import {
  mainPart,
  readAppNumber,
  readOfficeMetadata,
  readPart,
  readRelations,
  relatedPart,
  type Relations,
} from './package.ts'

/** A note, with the relations of its own part. */
type Note = { readonly element: XmlElement; readonly relations: Relations }
type Context = {
  readonly styles: Styles
  readonly relations: Relations
  readonly notes: ReadonlyMap<string, Note>
  /** The notes that were referred to, in order. */
  readonly used: string[]
  /** The next number of each list and level. */
  readonly numbers: Map<string, number>
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
    notes: new Map([
      ...readNotes(archive, related('footnotes', 'word/footnotes.xml'), 'f'),
      ...readNotes(archive, related('endnotes', 'word/endnotes.xml'), 'e'),
    ]),
    used: [],
    numbers: new Map(),
    pageBreaks: 0,
  }
  return {
    kind: 'docx',
    metadata: readOfficeMetadata(archive),
    unit: 'page',
    pageCount: readAppNumber(archive, 'Pages'),
    parts: pagesOf(body, context),
  }
}

function readNotes(archive: Archive, part: string, prefix: string): [string, Note][] {
  const relations = readRelations(archive, part)
  return elementsOf(readPart(archive, part) ?? { name: '', attributes: {}, children: [] })
    .filter((note) => attributeOf(note, 'type') === undefined)
    .map((note) => [`${prefix}${attributeOf(note, 'id') ?? ''}`, { element: note, relations }])
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
    const { html, boxes, notes } = readInline(block, context)
    context.used.push(...notes)
    const role = context.styles.roleOf(block)
    if (role.kind === 'item' && html.trim() !== '') items.push(numbered(role, html, context))
    else if (html.trim() !== '') {
      endList()
      out.push(
        role.kind === 'heading' ? heading(role.level, plainHeading(html)) : element('p', html),
      )
    }
    for (const box of boxes) {
      endList()
      out.push(blocksToHtml(flatten(box), context))
    }
  }
  endList()
  return out.join('\n')
}

function numbered(
  { level, isOrdered, list, start: first }: Extract<ParagraphRole, { kind: 'item' }>,
  html: string,
  { numbers }: Context,
): ListItem {
  const key = `${list}/${level}`
  const start = numbers.get(key) ?? first
  numbers.set(key, start + 1)
  for (let deeper = level + 1; deeper < 9; deeper += 1) numbers.delete(`${list}/${deeper}`)
  return { level, isOrdered, html, start }
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
  const used = [...new Set(context.used)]
  return used
    .map((name) => {
      const note = context.notes.get(name)
      if (note === undefined) return ''
      const text = childrenOf(note.element, 'p')
        .map((paragraph) =>
          readInline(paragraph, { ...context, relations: note.relations }).html.trim(),
        )
        .join(' ')
      return element('p', text === '' ? '' : `[${escapeHtml(name.slice(1))}] ${text}`)
    })
    .join('\n')
}
