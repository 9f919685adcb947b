/** Assigns test files to `npm test` and `npm run fire`. */
import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'

const EVERYTHING = ['src', 'test', 'tools', 'bench', 'packages'].map(
  (folder) => `${folder}/**/*.test.ts`,
)

/** Tests that kill, flood, judge by hundreds of intents, start gateways and databases, run documented commands or browsers. */
const LONG = [
  'bench/consult/values.test.ts',
  'test/fire/**/*.test.ts',
  'test/chaos/**/*.test.ts',
  'test/start/**/*.test.ts',
  'src/db/embedded-postgres.test.ts',
  'src/reader/render/{browser,render}.test.ts',
  'src/reader/video/record-demo.test.ts',
  'src/reader/proxied/proxied-browser.test.ts',
  'test/router/process.test.ts',
  'test/sdk/{python-agents,served-packages}.test.ts',
  'packages/cli/test/completion.db.test.ts',
  'test/pages/**/*.test.ts',
  'test/surface/{readme,*-in-browser}.test.ts',
]

/** Sweeps over all steps, routes or inputs. `npm test` runs a sample of each, and `npm run fire` all of it. */
const SWEEPS = [
  'src/calls/ways/*-kills.db.test.ts',
  'src/calls/ways/compute-sessions-by-use.db.test.ts',
  'src/catalog/own/hostile-files.test.ts',
  'src/composites/consult/consult.test.ts',
  'src/llm/tokens/{count,estimate}-tokens.test.ts',
  'src/surfaces/http/html/pages/catalog/endpoint-pages.test.ts',
  'test/live/live-actions.db.test.ts',
  'test/money/interrupted-jobs.db.test.ts',
  'test/router/{hang-ups,money}.db.test.ts',
  'test/surface/bad-{input,requests}.db.test.ts',
]

/** Tests that measure the memory of their process, or share a server that their first file closes. */
const IN_OWN_PROCESS = [
  'src/catalog/validate/validate.test.ts',
  'src/lib/{gathered-bytes,short-text}.test.ts',
  'src/surfaces/http/**/whole-body.test.ts',
  'src/upstream/exchange.test.ts',
  'test/sdk/*.test.ts',
  ...LONG,
]

export type TestFiles = {
  readonly names: readonly string[]
  /** The files of `names` that run in a process of their own. */
  readonly inOwnProcess: ReadonlySet<string>
}

/** The test files of a tier. */
export function filesOfTier(root: string, tier: 'test' | 'fire'): TestFiles {
  if (tier === 'fire') return filesOfFire(root, [])
  const isLong = new Set(find(root, LONG))
  // The slowest files are in test/. They begin first, so that the run does not end with one of them.
  const names = find(root, EVERYTHING).filter((name) => !isLong.has(name))
  return filesIn(root, names.toReversed())
}

/** The files of `npm run fire` whose path contains one of the words; all without words. Throws RangeError when none does. */
export function filesOfFire(root: string, words: readonly string[]): TestFiles {
  const all = find(root, [...LONG, ...SWEEPS])
  if (words.length === 0) return filesIn(root, all)
  const names = all.filter((name) => words.some((word) => name.includes(word)))
  if (names.length === 0)
    throw new RangeError(`No file of "npm run fire" has ${words.join(' or ')} in its path.`)
  return filesIn(root, names)
}

/** Named files and all test files in named folders. Throws RangeError for a folder without tests. */
export function filesNamed(root: string, words: readonly string[]): TestFiles {
  return filesIn(
    root,
    words.flatMap((word) => testsIn(root, word)),
  )
}

function testsIn(root: string, word: string): readonly string[] {
  if (statSync(join(root, word), { throwIfNoEntry: false })?.isDirectory() !== true) return [word]
  const tests = find(root, [join(word, '**/*.test.ts')])
  if (tests.length === 0) throw new RangeError(`There are no tests in ${word}.`)
  return tests
}

function filesIn(root: string, names: readonly string[]): TestFiles {
  const own = new Set(find(root, IN_OWN_PROCESS))
  return { names, inOwnProcess: new Set(names.filter((name) => own.has(name))) }
}

function find(root: string, patterns: readonly string[]): string[] {
  return globSync(patterns, { cwd: root }).sort()
}
