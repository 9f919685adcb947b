import { isTest, type Rule, type SourceFile } from './source.ts'

/** The 99th percentile stays far below; this bounds the single function. */
const MOST_LINES = 80

export const functionLength: Rule = {
  name: 'function length',
  find: (files) =>
    files
      .filter(({ name }) => !isTest(name))
      .flatMap((file) =>
        file.functions
          .filter(({ lines }) => lines > MOST_LINES)
          .map(
            ({ name, line, lines }) =>
              `${file.name}:${line}: ${name} has ${lines} lines, at most ${MOST_LINES}`,
          ),
      ),
}

/** The rows of the table in ARCHITECTURE.md: sizes of code without tests, in formatted lines. */
export function sizeTable(files: readonly SourceFile[]): readonly string[] {
  const rows = [
    '| Folder | Files | Lines | Functions | p50 | p90 | p99 | Longest |',
    '|---|---|---|---|---|---|---|---|',
  ]
  const sources = files.filter(({ name }) => !isTest(name))
  const folders = Object.groupBy(sources, ({ name }) =>
    name.split('/').slice(0, -1).slice(0, 2).join('/'),
  )
  for (const [folder, group = []] of [
    ...Object.entries(folders).toSorted(),
    ['all', sources] as const,
  ]) {
    rows.push(sizeRow(folder, group))
  }
  return rows
}

function sizeRow(folder: string, files: readonly SourceFile[]): string {
  const functions = files.flatMap((file) => file.functions.map(({ lines }) => lines))
  const sorted = functions.toSorted((one, other) => one - other)
  const lines = files.reduce((sum, file) => sum + file.lines, 0)
  const parts = [0.5, 0.9, 0.99].map((part) => sorted[Math.ceil(part * sorted.length) - 1] ?? 0)
  const cells = [`\`${folder}\``, files.length, lines, sorted.length, ...parts, sorted.at(-1) ?? 0]
  return `| ${cells.join(' | ')} |`
}
