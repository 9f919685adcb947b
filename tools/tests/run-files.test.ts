import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { cleanUp } from '../../test/harness/clean-up.ts'
import { Results } from './results.ts'
import { runFiles } from './run-files.ts'

const OK = "import assert from 'node:assert/strict'\nimport { test } from 'node:test'\n"

const CLEAN_UP = pathToFileURL(join(import.meta.dirname, '../../test/harness/clean-up.ts')).href

/** Each file and what the runner reports of it. */
const FILES = {
  'passes.test.mjs': [`test('passes', () => assert.ok(true))`, 'passed'],
  'fails.test.mjs': [`test('fails', () => assert.equal(1, 2))`, /^AssertionError.*\n.*\n1 !== 2/],
  'asserts-nothing.test.mjs': [`test('asserts nothing', () => {})`, /makes no assertion/],
  'waits.test.mjs': [
    `test('waits forever', () => new Promise(() => setInterval(() => {}, 1000)))`,
    /timed out after 700ms/,
  ],
  'spins.test.mjs': [`test('spins forever', () => { for (;;); })`, /did not end within 0.05 min/],
  'exits.test.mjs': [`test('exits', () => process.exit(0))`, /ended its process with 0/],
  'throws.test.mjs': [`throw new Error('cannot be loaded')`, /cannot be loaded/],
  'late.test.mjs': [
    `import { cleanUp } from '${CLEAN_UP}'
let isOpen = true
cleanUp(() => { isOpen = false })
let isEarlyOver = false
test('early', (context) => {
  assert.ok(isOpen)
  context.after(() => { isEarlyOver = true })
})
for (let turns = 0; turns < 1_000 && !isEarlyOver; turns += 1) await new Promise(setImmediate)
test('late', () => new Promise(setImmediate).then(() => assert.ok(isOpen)))`,
    'passed',
  ],
  'open.test.mjs': [`test('stays open', () => void assert.ok(setInterval(() => {}, 9)))`, 'passed'],
} as const

test('names the test or file that fails, hangs, exits or asserts nothing, and runs the others', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-run-'))
  cleanUp(() => rmSync(folder, { recursive: true }))
  for (const [name, [code]] of Object.entries(FILES))
    writeFileSync(join(folder, name), `${OK}${code}\n`)
  let output = ''
  const results = new Results({ write: (text) => (output += text), isDetailed: true })
  await runFiles({
    files: { names: Object.keys(FILES), inOwnProcess: new Set(['open.test.mjs']) },
    workers: 1,
    limits: { testMs: 700, fileMs: 3_000, exitMs: 1_000 },
    env: {},
    folder,
    signal: new AbortController().signal,
    onMessage: (message) => results.add(message),
  })
  results.printSummary()
  for (const [name, [, expected]] of Object.entries(FILES)) {
    const [result, another] = results.all.filter(({ path }) => path[0] === name)
    if (typeof expected === 'string') assert.equal(result?.outcome, expected, name)
    if (name === 'late.test.mjs') assert.equal(another?.outcome, expected, name)
    if (typeof expected !== 'string') assert.match(result?.error ?? '', expected, name)
  }
  assert.match(output, /✖ open\.test\.mjs\n {2}open\.test\.mjs left its process open\./)
  assert.match(output, /ℹ tests 11\n(.*\n)*ℹ pass 4\nℹ fail 7\n/)
})
