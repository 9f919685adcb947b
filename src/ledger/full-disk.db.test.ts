import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { CALL_MS, openBank } from '../../test/harness/beds/ledger.ts'
import { DatabaseAway } from '../errors/database-away.ts'

const bank = await openBank()
const { clock, database } = bank

// PostgreSQL's error when a table needs another page. Holds still fit into existing pages.
await database.query(`create function disk_is_full() returns trigger language plpgsql as $$
  begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`)
const fillDisk = () =>
  database.query(
    'create trigger disk before insert on transactions for each row execute function disk_is_full()',
  )
const makeRoom = () => database.query('drop trigger if exists disk on transactions')

beforeEach(makeRoom)

test('starts no call while the disk is full, and charges waiting calls when it has space', async () => {
  const asked = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  const ledger = bank.anotherLedger({
    async pause() {
      asked.resolve()
      await goOn.promise
    },
  })
  const wallet = await bank.openWallet(100n)
  const hold = () => ledger.hold(bank.request(wallet, 10n))
  const call = await hold()
  assert.ok(call.opened)
  await fillDisk()
  const settlement = ledger.resolve({
    hold: call,
    charge: 7n,
    latencyMs: 0,
    errorCode: null,
    hops: null,
  })
  await asked.promise
  clock.advance(10_000)
  for (const again of [hold, hold])
    await assert.rejects(again(), { code: 'overloaded', retryAfterSeconds: 1 })
  assert.deepEqual(await bank.wallet(wallet), { balance: 100n, held: 10n })

  await makeRoom()
  goOn.resolve()
  assert.equal((await settlement).charged, 7n)
  for (const again of [hold, hold]) assert.ok((await again()).opened)
  assert.deepEqual(await bank.wallet(wallet), { balance: 93n, held: 20n })
  await bank.assertSound()
})

test('without a pending settlement, one call a second tests whether the disk has space', async () => {
  const ledger = bank.anotherLedger()
  const wallet = await bank.openWallet(100n)
  const hold = () => ledger.hold(bank.request(wallet, 10n))
  const settle = async (call: Awaited<ReturnType<typeof hold>>) => {
    assert.ok(call.opened)
    return ledger.resolve({ hold: call, charge: 7n, latencyMs: 0, errorCode: null, hops: null })
  }
  const [call, settledBefore] = [await hold(), await hold()]
  await settle(settledBefore)
  await fillDisk()
  await assert.rejects(settle(call), { code: 'overloaded', message: /carried out/ })

  assert.ok((await hold()).opened)
  assert.equal(
    (await settle(settledBefore)).charged,
    7n,
    'what was settled before is told, and shows nothing of the disk',
  )
  await assert.rejects(hold(), { code: 'overloaded' })
  clock.advance(1_000)
  const last = await hold()
  await assert.rejects(hold(), { code: 'overloaded' })
  await makeRoom()
  assert.equal((await settle(last)).charged, 7n)
  for (const again of [hold, hold]) assert.ok((await again()).opened)
  await bank.assertSound()
})

test('a sweep on a full disk fails as an unreachable database, and works once there is space', async () => {
  const wallet = await bank.openWallet(100n)
  await bank.hold(wallet, 10n)
  await fillDisk()
  clock.advance(CALL_MS + 1)
  await assert.rejects(
    bank.ledger.sweep(),
    (error) =>
      error instanceof DatabaseAway &&
      error.cause instanceof Error &&
      /No space left/.test(error.cause.message),
  )
  await makeRoom()
  assert.ok((await bank.ledger.sweep()) >= 1)
  assert.deepEqual(await bank.wallet(wallet), { balance: 100n, held: 0n })
})
