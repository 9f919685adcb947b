import { isBelow, isTest, type Rule, type SourceFile } from './source.ts'

const MOST_OWN_LINES = 80
const MOST_LINES_P99 = 60

/**
 * A function has at most 80 lines of its own: a function that only returns smaller ones counts
 * without them. With them, 99 % of the functions of src have at most 60 lines.
 */
export const functionLength: Rule = {
  name: 'function length',
  find: (files) => {
    const sources = files.filter(({ name }) => isBelow(name, 'src') && !isTest(name))
    const p99 = percentile(sizesOf(sources), 0.99)
    const long = sources.flatMap((file) =>
      file.functions
        .filter(({ ownLines }) => ownLines > MOST_OWN_LINES)
        .map(
          ({ name, line, ownLines }) =>
            `${file.name}:${line}: ${name} has ${ownLines} lines of its own, at most ${MOST_OWN_LINES}`,
        ),
    )
    return p99 > MOST_LINES_P99 ? [...long, `src: p99 is ${p99}, at most ${MOST_LINES_P99}`] : long
  },
}

/** Lengths of functions with everything inside them, in ascending order. */
function sizesOf(files: readonly SourceFile[]): readonly number[] {
  const sizes = files.flatMap((file) => file.functions.map(({ lines }) => lines))
  return sizes.toSorted((one, other) => one - other)
}

function percentile(sorted: readonly number[], part: number): number {
  return sorted[Math.ceil(part * sorted.length) - 1] ?? 0
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
    ...Object.entries(folders).toSorted(([one], [other]) => one.localeCompare(other)),
    ['all', sources] as const,
  ]) {
    rows.push(sizeRow(folder, group))
  }
  return rows
}

function sizeRow(folder: string, files: readonly SourceFile[]): string {
  const sizes = sizesOf(files)
  const lines = files.reduce((sum, file) => sum + file.lines, 0)
  const parts = [0.5, 0.9, 0.99, 1].map((part) => percentile(sizes, part))
  return `| ${[`\`${folder}\``, files.length, lines, sizes.length, ...parts].join(' | ')} |`
}
