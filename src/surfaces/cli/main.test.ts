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
    said: text(child.stderr ?? assert.fail('there is a pipe')),
    ended: once(child, 'exit'),
  }
}

test('a command whose reader is gone, as with "head", ends without a stack', async () => {
  const { child, said, ended } = keygen('pipe')
  child.stdout?.destroy()
  assert.deepEqual([(await ended)[0], await said], [1, ''])
})

test(
  'a command whose words nobody could write down says so in a line, and does not pass for one that told them',
  { skip: existsSync('/dev/full') ? false : 'there is no full disk to write to' },
  async () => {
    const full = openSync('/dev/full', 'w')
    const { said, ended } = keygen(full)
    closeSync(full)
    assert.equal((await ended)[0], 1)
    assert.match(
      await said,
      /^tollgate: what the command says could not be written: ENOSPC[^\n]*\n$/,
    )
  },
)
