/** RFC 4180: lines end in CRLF, and a cell with a separator, quote or line break is quoted. */
export function csvLine(cells: readonly unknown[]): string {
  return `${cells.map(csvCell).join()}\r\n`
}

// Spreadsheets run text with such a start as a formula, some also after full-width characters. The
// apostrophe makes them show it as text.
const LOOKS_LIKE_A_FORMULA = /^[=+\-@＝＋－＠\t\r\n]/

function csvCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return String(value)
  const plain = typeof value === 'string' ? value : JSON.stringify(value)
  const text = LOOKS_LIKE_A_FORMULA.test(plain) ? `'${plain}` : plain
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
