import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { cleanUp } from '../test/harness/clean-up.ts'
import { limitFlags } from './test-limits.ts'

/** The limit of a test: 1.2 s, and 2.4 s for its file. */
const MINUTES = 0.02
const FILES = {
  'fine.test.mjs': `test('ends', () => {})`,
  'waits.test.mjs': `test('waits for ever', () => new Promise(() => setInterval(() => {}, 1000)))`,
  'spins.test.mjs': `test('spins for ever', () => { for (;;); })`,
  'open.test.mjs': `test('leaves something open', () => { setInterval(() => {}, 1000) })`,
}

it('a test that hangs fails by its name, and a file that does not end by its own, while the others pass', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-limits-'))
  cleanUp(() => rmSync(folder, { recursive: true }))
  for (const [name, code] of Object.entries(FILES))
    writeFileSync(join(folder, name), `import { test } from 'node:test'\n${code}\n`)
  // Inside a test the runner would run nothing.
  const { NODE_TEST_CONTEXT: _context, ...env } = process.env
  const { status, stdout } = spawnSync(
    process.execPath,
    [
      '--test',
      '--test-reporter=spec',
      '--test-concurrency=4',
      ...limitFlags(MINUTES),
      ...Object.keys(FILES),
    ],
    { cwd: folder, env, encoding: 'utf8' },
  )
  assert.equal(status, 1)
  assert.match(stdout, /✔ ends/)
  assert.match(stdout, /✖ waits for ever[\s\S]*timed out after 1200ms/)
  for (const name of ['spins', 'open']) assert.match(stdout, new RegExp(`✖ ${name}\\.test\\.mjs`))
  for (const name of ['waits', 'spins', 'open'])
    assert.match(stdout, new RegExp(`^${name}\\.test\\.mjs did not end within 0.04 minutes`, 'm'))
  assert.match(stdout, /ℹ pass 2\n/)
})
