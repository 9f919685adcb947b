import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'

const MAIN = join(import.meta.dirname, 'main.ts')

function keygen(stdout: 'pipe' | number) {
  const child = spawn(process.execPath, [MAIN, 'keygen'], {
    stdio: ['ignore', stdout, 'pipe'],
    env: { PATH: process.env['PATH'] },
  })
  return {
    child,
    errors: text(child.stderr ?? assert.fail('there is a pipe')),
    ended: once(child, 'exit'),
  }
}

test('exits without a stack trace when the reader of its output is gone, as with "head"', async () => {
  const { child, errors, ended } = keygen('pipe')
  child.stdout?.destroy()
  assert.deepEqual([(await ended)[0], await errors], [1, ''])
})

test(
  'reports output that it cannot write in one line and exits with code 1',
  { skip: existsSync('/dev/full') ? false : '/dev/full does not exist' },
  async () => {
    const full = openSync('/dev/full', 'w')
    const { errors, ended } = keygen(full)
    closeSync(full)
    assert.equal((await ended)[0], 1)
    assert.match(await errors, /^tollgate: could not write the output: ENOSPC[^\n]*\n$/)
  },
)
