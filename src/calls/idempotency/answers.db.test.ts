import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cloneDatabase } from '../../../test/harness/postgres.ts'
import { newId } from '../../lib/ids.ts'
import { answerOnce, releaseClaims, type Keep, type SlotToFill } from './answers.ts'

const { database } = await cloneDatabase()
const START_MS = Date.UTC(2026, 9, 14, 12)
const accountId = newId(START_MS)
const slotAt = (key: string, nowMs: number): SlotToFill => ({
  accountId,
  route: 'POST /api/v1/agents',
  key,
  fingerprint: 'aa'.repeat(32),
  secret: 'of the caller',
  callId: newId(nowMs),
  nowMs,
})
const toAnswer = (body: string) => ({ status: 201, body })
const never = (): Promise<never> => assert.fail('it is done a second time')

await database.query('create table made (name text)')
const madeBy = async (name: string): Promise<number> =>
  (await database.query('select from made where name = $1', [name])).count
const make =
  (name: string) =>
  (keep: Keep<string>): Promise<string> =>
    database.transaction(async (tx) => {
      await tx.query('insert into made values ($1)', [name])
      await keep(tx, name)
      return name
    })

test('runs work without money once per idempotency key, even for concurrent repeats', async () => {
  const [begun, finish] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const first = answerOnce(database, slotAt('k1', START_MS), toAnswer, async (keep) => {
    begun.resolve()
    await finish.promise
    return make('a secret')(keep)
  })
  await begun.promise
  await assert.rejects(answerOnce(database, slotAt('k1', START_MS + 119_000), toAnswer, never), {
    code: 'idempotency_in_progress',
  })
  finish.resolve()
  assert.deepEqual(await first, { status: 201, body: 'a secret', replayed: false })
  assert.deepEqual(
    await answerOnce(database, slotAt('k1', START_MS + 23 * 3_600_000), toAnswer, never),
    { status: 201, body: 'a secret', replayed: true },
  )
  await assert.rejects(
    answerOnce(
      database,
      { ...slotAt('k1', START_MS), secret: 'of another caller' },
      toAnswer,
      never,
    ),
    { code: 'idempotency_key_reused' },
  )
})

test('frees the idempotency key of failed work immediately', async () => {
  await assert.rejects(
    answerOnce(database, slotAt('k2', START_MS), toAnswer, () =>
      Promise.reject(new RangeError('not now')),
    ),
    RangeError,
  )
  assert.deepEqual(await answerOnce(database, slotAt('k2', START_MS), toAnswer, make('done')), {
    status: 201,
    body: 'done',
    replayed: false,
  })
})

test('replays the answer of a process that died after its work, for any later repeat', async () => {
  const isMade = Promise.withResolvers<void>()
  void answerOnce(database, slotAt('k3', START_MS), toAnswer, async (keep) => {
    await make('made before the end')(keep)
    isMade.resolve()
    return new Promise<never>(() => {})
  })
  await isMade.promise
  assert.deepEqual(await answerOnce(database, slotAt('k3', START_MS + 180_000), toAnswer, never), {
    status: 201,
    body: 'made before the end',
    replayed: true,
  })
})

test('rejects the work of a process whose claim expired and that another process replaced', async () => {
  const [begun, wake] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const late = answerOnce(database, slotAt('k4', START_MS), toAnswer, async (keep) => {
    begun.resolve()
    await wake.promise
    return make('made late')(keep)
  })
  await begun.promise
  assert.equal(
    (await answerOnce(database, slotAt('k4', START_MS + 180_000), toAnswer, make('made in time')))
      .replayed,
    false,
  )
  wake.resolve()
  await assert.rejects(late, { code: 'idempotency_in_progress' })
  assert.deepEqual([await madeBy('made in time'), await madeBy('made late')], [1, 0])
  assert.equal(
    (await answerOnce(database, slotAt('k4', START_MS + 200_000), toAnswer, never)).body,
    'made in time',
  )
})

test('frees the key of a process that died at work when its lease is released', async () => {
  const begun = Promise.withResolvers<void>()
  const slot = { ...slotAt('k5', START_MS), callId: newId(START_MS, 'abcdef') }
  const dead = answerOnce(database, slot, toAnswer, async (keep) => {
    begun.resolve()
    await released.promise
    return make('by a process that was only frozen')(keep)
  })
  const released = Promise.withResolvers<void>()
  await begun.promise
  assert.equal(await releaseClaims(database, 'abcde0', START_MS), 0)
  assert.equal(await releaseClaims(database, 'abcdef', START_MS), 1)
  assert.equal(
    (await answerOnce(database, slotAt('k5', START_MS + 5_000), toAnswer, make('again'))).replayed,
    false,
  )
  released.resolve()
  await assert.rejects(dead, { code: 'idempotency_in_progress' })
  assert.equal(await madeBy('by a process that was only frozen'), 0)
  assert.equal(await releaseClaims(database, 'abcdef', START_MS), 0)
})

test('keeps answered keys and keys of open holds when a lease is released', async () => {
  const answered = { ...slotAt('k6', START_MS), callId: newId(START_MS, 'abcdef') }
  await answerOnce(database, answered, toAnswer, make('answered'))
  const held = newId(START_MS, 'abcdef')
  await database.query(
    "insert into holds (id, wallet_id, amount_micros, day, deadline_ms, kind, attributes) values ($1, 0, 1, 0, 9e12, 'job', '{}')",
    [held],
  )
  await database.query(
    "insert into answers (account_id, route, idempotency_key, call_id, fingerprint, expires_ms) values ($1, 'x', 'k7', $2, '', $3)",
    [accountId, held, START_MS + 60_000],
  )
  assert.equal(await releaseClaims(database, 'abcdef', START_MS), 0)
  assert.equal(
    (await answerOnce(database, slotAt('k6', START_MS + 1_000), toAnswer, never)).replayed,
    true,
  )
})
