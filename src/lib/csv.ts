import { toSpreadsheetText } from './escapes.ts'

/** RFC 4180: lines end in CRLF, and a cell with a separator, quote or line break is quoted. */
export function csvLine(cells: readonly unknown[]): string {
  return `${cells.map(csvCell).join()}\r\n`
}

function csvCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return String(value)
  const text = toSpreadsheetText(typeof value === 'string' ? value : JSON.stringify(value))
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
