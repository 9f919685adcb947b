/**
 * Reports idioms, long sentences and long names in comments, messages, documents, test names and
 * commit subjects. `--only <folder>` reads one folder, `--count` prints counts by folder and idiom.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { runWhole } from '../src/lib/background/sliced.ts'
import { REFERENCE_PAGES } from '../src/surfaces/http/documentation/reference-pages.ts'
import { findInFile, findInSubject, readerOf, type Finding } from './prose/find.ts'
import { subjectsSince } from './prose/read-commits.ts'

const root = join(import.meta.dirname, '..')
const { values } = parseArgs({ options: { only: { type: 'string' }, count: { type: 'boolean' } } })
const only = values.only?.replace(/^\.\/|\/+$/g, '')

function filesToRead(): readonly string[] {
  // `--others` lists new files, which git does not track yet.
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '--', only ?? '.']
  const listed = spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout.split('\n')
  return [...new Set(listed)].filter(
    (name) => readerOf(name) !== null && existsSync(join(root, name)),
  )
}

function print(findings: readonly Finding[]): void {
  for (const { file, line, text, better } of findings) {
    process.stdout.write(`${file}:${line}: "${text}" → ${better}\n`)
  }
}

function printCounts(findings: readonly Finding[]): void {
  const byFolder = Object.groupBy(findings, ({ file }) => dirname(file).split('/', 3).join('/'))
  const byAdvice = Object.groupBy(findings, ({ better }) => better.replaceAll(/ \(\d+\)/g, ''))
  for (const groups of [byFolder, byAdvice]) {
    const rows = Object.entries(groups).map(([name, group = []]) => [group.length, name] as const)
    for (const [count, name] of rows.toSorted(([one], [other]) => other - one)) {
      process.stdout.write(`${String(count).padStart(6)}  ${name}\n`)
    }
    process.stdout.write('\n')
  }
}

/** Commits with a flagged subject that was found too late to rewrite it. */
const PUBLISHED = ['61b0c637', '0e5f3fee']

/** The pages that the gateway writes from the catalog. */
function referenceToRead(): readonly (readonly [file: string, text: string])[] {
  return [...REFERENCE_PAGES]
    .filter(([file]) => only === undefined || file.startsWith(`${only}/`))
    .map(([file, { write }]) => [file, runWhole(write())])
}

const findings = [
  ...filesToRead().flatMap((name) => findInFile(name, readFileSync(join(root, name), 'utf8'))),
  ...referenceToRead().flatMap(([file, text]) => findInFile(file, text)),
  // The style guide binds the commits after it.
  ...(only === undefined ? subjectsSince(root, 'docs/style.md') : [])
    .filter(({ commit }) => !PUBLISHED.some((hash) => commit.startsWith(hash)))
    .flatMap(({ commit, subject }) => findInSubject(`commit ${commit}`, subject)),
]
if (values.count === true) printCounts(findings)
else print(findings)
process.stdout.write(findings.length === 0 ? '' : `${findings.length} findings\n`)
process.exit(findings.length === 0 ? 0 : 1)
