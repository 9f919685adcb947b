import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cloneDatabase } from '../../test/harness/postgres.ts'
import { newId } from '../lib/ids.ts'
import { answerOnce, type SlotToFill } from './answers.ts'

const { database } = await cloneDatabase()
const START_MS = Date.UTC(2026, 9, 14, 12)
const accountId = newId(START_MS)
const slotAt = (key: string, nowMs: number): SlotToFill => ({ accountId, route: 'POST /api/v1/agents', key, fingerprint: 'aa'.repeat(32), secret: 'of the caller', callId: newId(nowMs), nowMs })
const never = (): Promise<never> => assert.fail('it is done a second time')

test('what moves no money is done once for an idempotency key too, also by a repeat that comes while the first is at it', async () => {
  const [begun, finish] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const first = answerOnce(database, slotAt('k1', START_MS), async () => {
    begun.resolve()
    await finish.promise
    return { status: 201, body: 'a secret' }
  })
  await begun.promise
  await assert.rejects(answerOnce(database, slotAt('k1', START_MS + 119_000), never), { code: 'idempotency_in_progress' })
  finish.resolve()
  assert.deepEqual(await first, { status: 201, body: 'a secret', replayed: false })
  assert.deepEqual(await answerOnce(database, slotAt('k1', START_MS + 23 * 3_600_000), never), { status: 201, body: 'a secret', replayed: true })
  await assert.rejects(answerOnce(database, { ...slotAt('k1', START_MS), secret: 'of another caller' }, never), { code: 'idempotency_key_reused' })
})

test('work that fails frees its idempotency key at once', async () => {
  await assert.rejects(answerOnce(database, slotAt('k2', START_MS), () => Promise.reject(new RangeError('not now'))), RangeError)
  assert.deepEqual(await answerOnce(database, slotAt('k2', START_MS), async () => ({ status: 201, body: 'done' })), { status: 201, body: 'done', replayed: false })
})
