import { toLine } from '../../lib/escapes.ts'

/** Formats rows as aligned columns under a head. */
export function columns(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => toLine(cell).padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()
  return [head.map((title) => title.toUpperCase()), ...rows].map(line).join('\n')
}

/** Formats names and values, one pair per line. */
export function facts(entries: readonly (readonly [string, string])[]): string {
  const width = Math.max(...entries.map(([name]) => name.length))
  return entries.map(([name, value]) => `${name.padEnd(width)}  ${toLine(value)}`).join('\n')
}
