import type { Archive } from '../archive.ts'
import { DocumentFault, type OpenDocument } from '../document.ts'
import { escapeHtml, heading, table } from '../markup.ts'
import { attributeOf, childOf, childrenOf, readXml, relationOf } from '../xml.ts'
import {
  mainPart,
  readOfficeMetadata,
  readPart,
  readRelations,
  relatedPart,
  unreadParts,
} from './package.ts'
import {
  formatNumber,
  PLAIN,
  readCellStyles,
  readSharedStrings,
  type NumberFormat,
} from './xlsx-values.ts'

type Book = {
  readonly archive: Archive
  readonly strings: readonly string[]
  readonly styles: readonly NumberFormat[]
  readonly is1904: boolean
  readonly maxChars: number
  /** Called with the text of a cell that is left out, and the reason. */
  onLeftOut(text: string, where: Omission): void
}
type Row = string[]

const MAX_COLUMNS = 200
const MAX_ROWS = 100_000

type Omission =
  | 'hidden rows'
  | 'hidden columns'
  | `columns after ${string}`
  | `rows after ${number}`
const OMISSIONS = {
  columns: 'columns after GR',
  rows: `rows after ${MAX_ROWS}`,
} as const

class EnoughRead extends Error {}

/** Opens an Excel workbook. Each part is one visible sheet: its name and its cells as a table. */
export function openXlsx(archive: Archive, maxChars: number): OpenDocument {
  const part = mainPart(archive, 'xl/workbook.xml')
  const workbook = readPart(archive, part)
  const relations = readRelations(archive, part)
  const all = childrenOf(childOf(workbook, 'sheets'), 'sheet')
  const sheets = all
    .filter((sheet) => (attributeOf(sheet, 'state') ?? 'visible') === 'visible')
    .map((sheet) => ({
      name: attributeOf(sheet, 'name') ?? '',
      part: relations.get(relationOf(sheet) ?? '')?.target,
    }))
  if (sheets.length === 0)
    throw new DocumentFault('broken', 'The workbook is damaged: it has no visible sheet.')
  const hiddenSheets = all.length > sheets.length ? ['hidden sheets'] : []
  const omitted = new Set<string>()
  const book: Book = {
    archive,
    strings: readSharedStrings(
      archive,
      relatedPart(relations, 'sharedStrings') ?? 'xl/sharedStrings.xml',
    ),
    styles: readCellStyles(archive, relatedPart(relations, 'styles') ?? 'xl/styles.xml'),
    is1904: /^(1|true)$/.test(attributeOf(childOf(workbook, 'workbookPr'), 'date1904') ?? ''),
    maxChars,
    onLeftOut(text, where) {
      if (text !== '') omitted.add(where)
    },
  }
  function* parts(): Generator<string> {
    for (const { name, part: sheetPart } of sheets) {
      const source = sheetPart === undefined ? undefined : archive.text(sheetPart)
      // A chart sheet has no cells.
      const rows = source === undefined ? [] : readRows(book, source)
      yield heading(2, escapeHtml(name)) + toTable(rows)
    }
  }
  return {
    kind: 'xlsx',
    metadata: readOfficeMetadata(archive),
    unit: 'sheet',
    pageCount: sheets.length,
    parts: parts(),
    isCut: () => Object.values(OMISSIONS).some((name) => omitted.has(name)),
    omitted: () => [...unreadParts(archive), ...hiddenSheets, ...omitted],
  }
}

/** A row or column that Excel does not show. */
function isUnseen({ hidden = '', ht, width }: Readonly<Record<string, string>>): boolean {
  return /^(1|true)$/.test(hidden) || Number(ht ?? width ?? 1) === 0
}

type CellState = { column: number; type: string; style: number; text: string }

/**
 * Reads the rows of a sheet as events, because a tree of a large sheet needs gigabytes. Stops
 * after `maxChars` characters.
 */
function readRows(book: Book, source: string): Row[] {
  const rows: Row[] = []
  const unseenColumns = new Set<number>()
  let isUnseenRow = false
  let row: Row = []
  let cell: CellState | undefined
  let isInValue = false
  let isInReading = false
  let chars = 0
  const endRow = (): void => {
    if (row.some((text) => text !== ''))
      rows.push(row.filter((_cell, column) => !unseenColumns.has(column)))
    row = []
    if (rows.length >= MAX_ROWS) book.onLeftOut('rows', OMISSIONS.rows)
    if (chars > book.maxChars || rows.length >= MAX_ROWS) throw new EnoughRead()
  }
  try {
    readXml(source, {
      open(name, attributes) {
        if (name === 'c')
          cell = {
            column: columnOf(attributes['r']) ?? row.length,
            type: attributes['t'] ?? 'n',
            style: Number(attributes['s'] ?? 0),
            text: '',
          }
        else if (name === 'row') isUnseenRow = isUnseen(attributes)
        else if (name === 'col' && isUnseen(attributes)) {
          const last = Math.min(MAX_COLUMNS, Number(attributes['max']))
          for (let column = Math.max(1, Number(attributes['min'])); column <= last; column += 1)
            unseenColumns.add(column - 1)
        } else if (name === 'rPh') isInReading = true
        else if (name === 'v' || name === 't') isInValue = !isInReading
      },
      text(text) {
        if (cell !== undefined && isInValue) cell.text += text
      },
      close(name) {
        if (name === 'rPh') isInReading = false
        else if (name === 'v' || name === 't') isInValue = false
        else if (name === 'c' && cell !== undefined) {
          const shown = showCell(cell, book)
          if (isUnseenRow) book.onLeftOut(shown, 'hidden rows')
          else if (unseenColumns.has(cell.column)) book.onLeftOut(shown, 'hidden columns')
          else if (cell.column >= MAX_COLUMNS) book.onLeftOut(shown, OMISSIONS.columns)
          else if (shown !== '') {
            while (row.length < cell.column) row.push('')
            row[cell.column] = shown
            chars += shown.length
          }
          cell = undefined
        } else if (name === 'row') endRow()
        else if (name === 'sheetData') throw new EnoughRead()
      },
    })
  } catch (error) {
    if (!(error instanceof EnoughRead)) throw error
  }
  return rows
}

function showCell({ type, style, text }: CellState, { strings, styles, is1904 }: Book): string {
  if (type === 's') return strings[Number(text)] ?? ''
  if (type === 'b') return text.trim() === '1' ? 'TRUE' : text === '' ? '' : 'FALSE'
  if (type === 'n') return formatNumber(text, styles[style] ?? PLAIN, is1904)
  return text
}

/** The column of a reference such as "AB12", from 0. */
function columnOf(reference: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? '')?.[0]
  if (letters === undefined) return undefined
  return [...letters].reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

/** The cells without empty columns at the left and at the right. */
function toTable(rows: readonly Row[]): string {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0)
  const first = rows.reduce((least, row) => {
    const at = row.findIndex((text) => text !== '')
    return at === -1 ? least : Math.min(least, at)
  }, width)
  return table(
    rows.map((row) =>
      Array.from({ length: width - first }, (_cell, index) => ({
        html: escapeHtml(row[first + index] ?? '').replace(/\r?\n/g, '<br>'),
      })),
    ),
  )
}
