import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'

test('a stop that hangs ends the process and reports it', async () => {
  const program = `
    import { runUntilSignal } from ${JSON.stringify(join(import.meta.dirname, 'run-until-signal.ts'))}
    const neverOver = setInterval(() => {}, 60_000)
    await runUntilSignal(async () => ({ close: () => new Promise(() => {}) }), 1)
    process.stdout.write('up')`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program])
  const said = text(child.stderr)
  await once(child.stdout, 'data')
  child.kill('SIGTERM')
  assert.deepEqual(await once(child, 'exit'), [1, null])
  assert.match(await said, /does not respond/)
})
