import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { cleanUp } from '../../../test/harness/clean-up.ts'
import { AppError } from '../../errors/app-error.ts'
import type { BoxReply } from './box-requests.ts'
import { isAbandoned, openRelay, relayTo, socketPath } from './relay.ts'

const folder = mkdtempSync(join(tmpdir(), 'tollgate-relay-'))
cleanUp(() => rmSync(folder, { recursive: true }))

describe('a relayed request', () => {
  it('fails with the field, the advice and the wait of the other process', async () => {
    const path = join(folder, 'rejects.sock')
    const relay = await openRelay(path, async () => {
      throw new AppError('rate_limited', 'The box is busy.', {
        param: 'command',
        fix: 'Wait for one of its programs.',
        retryAfterSeconds: 7,
      })
    })
    cleanUp(relay.close)
    await assert.rejects(relayTo(path, 'box', { kind: 'status' }), {
      code: 'rate_limited',
      message: 'The box is busy.',
      param: 'command',
      fix: 'Wait for one of its programs.',
      retryAfterSeconds: 7,
    })
  })

  it('reaches a socket in a folder with a long path, and uses no other folder', async () => {
    const long = join(folder, 'a'.repeat(120))
    mkdirSync(long)
    const path = socketPath(long, '0a1b2c3d')
    const relay = await openRelay(path, async (id) => ({
      status: 'running',
      exitCode: null,
      isolation: 'namespaces',
      id,
    }))
    assert.deepEqual(readdirSync(long), ['0a1b2c3d.sock'])
    assert.equal(statSync(path).mode & 0o777, 0o700)
    const reply = await relayTo<BoxReply>(path, 'box', { kind: 'status' })
    assert.equal(reply !== null && 'status' in reply && reply.status, 'running')
    assert.equal(await isAbandoned(path), false)
    await relay.close()
    assert.deepEqual(readdirSync(long), [])
    assert.equal(await isAbandoned(path), true)
  })

  it('is null when the process has ended', async () => {
    assert.equal(await relayTo(join(folder, 'missing.sock'), 'box', { kind: 'status' }), null)
  })
})

describe('the socket of a process', () => {
  it('is abandoned when the process has ended, and not when it answers late', async () => {
    assert.equal(await isAbandoned(join(folder, 'missing.sock')), true)
    const silent = createServer(() => undefined).listen(join(folder, 'silent.sock'))
    cleanUp(() => silent.close())
    await once(silent, 'listening')
    assert.equal(await isAbandoned(join(folder, 'silent.sock'), 10), false)
  })
})
