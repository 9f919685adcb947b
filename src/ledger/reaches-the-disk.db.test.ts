import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CALL_MS, openBank } from '../../test/harness/beds/ledger.ts'
import { assertHeld } from './assert-held.ts'
import type { Batch } from './batch.ts'
import { flushBatch, flushWithin } from './flush.ts'
import type { Claim, Hold, HoldRequest, Resolution } from './hold.ts'
import type { Settlement } from './ledger.ts'

const bank = await openBank()
const { clock, database, ledger } = bank
const client = database.connect('ledger disk test')
await client.connect()
// Test servers never wait for the disk. This connection does, as on an ordinary server.
await client.query('set synchronous_commit = on')

const batchOf = (resolutions: readonly Resolution[], holds: readonly HoldRequest[]): Batch => ({
  nowMs: clock(),
  resolutions,
  holds,
})
const settlementOf = (hold: HoldRequest, charge = 1n): Resolution => ({
  hold,
  charge,
  latencyMs: 0,
  errorCode: null,
  hops: null,
})
const requests = (walletId: number, count: number): HoldRequest[] =>
  Array.from({ length: count }, () => bank.request(walletId, 10n))

async function setting(): Promise<unknown> {
  const { rows } = await client.query<{ synchronous_commit: string }>('show synchronous_commit')
  return rows[0]?.synchronous_commit
}

/** The value of synchronous_commit at the commit of a flush. */
async function commitOf(flush: typeof flushBatch, batch: Batch): Promise<unknown> {
  await client.query('begin')
  await flush(client, batch)
  const found = await setting()
  await client.query('rollback')
  return found
}

/** Removes a hold as a crash of the database does before the hold reached the disk. */
async function lose({ id, walletId, budgetId, amount }: Hold): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.query('delete from holds where id = $1', [id])
    await tx.query('delete from answers where call_id = $1', [id])
    await tx.query('update wallets set held_micros = held_micros - $2 where id = $1', [
      walletId,
      amount,
    ])
    await tx.query(
      'update budgets set day_held = day_held - $2, week_held = week_held - $2, month_held = month_held - $2, total_held = total_held - $2 where id = $1',
      [budgetId, amount],
    )
  })
}

test('other connections see an open hold immediately', async () => {
  const wallet = await bank.openWallet(100n)
  const hold = await bank.hold(wallet, 60n)
  assert.deepEqual(
    (await database.query('select id, amount_micros from holds where wallet_id = $1', [wallet]))
      .rows,
    [{ id: hold.id, amount_micros: 60n }],
  )
  await assert.rejects(bank.anotherLedger().hold(bank.request(wallet, 41n)), { code: 'room_held' })
})

test('only a flush without resolutions skips the disk, and the next one waits for it again', async () => {
  const wallet = await bank.openWallet(1_000n)
  const held = requests(wallet, 5)
  await flushBatch(client, batchOf([], held))
  assert.equal(await setting(), 'on')
  for (const count of [1, 2, 5])
    assert.equal(
      await commitOf(flushBatch, batchOf([], requests(wallet, count))),
      'off',
      `${count} holds`,
    )
  for (const count of [1, 2, 5]) {
    const settlements = held.slice(0, count).map((hold) => settlementOf(hold))
    assert.equal(await commitOf(flushBatch, batchOf(settlements, [])), 'on', `${count} settlements`)
    assert.equal(
      await commitOf(flushBatch, batchOf(settlements, requests(wallet, count))),
      'on',
      `${count} settlements among holds`,
    )
  }
  assert.equal(
    await commitOf(flushWithin, batchOf([], requests(wallet, 1))),
    'on',
    'a hold as part of a larger change',
  )
})

test('an answered settlement and its hold are on disk', async () => {
  const wallet = await bank.openWallet(100n)
  const [hold] = requests(wallet, 1) as [HoldRequest]
  await flushBatch(client, batchOf([], [hold]))
  const {
    rows: [written],
  } = await client.query<{ lsn: string }>('select pg_current_wal_insert_lsn() as lsn')
  await flushBatch(client, batchOf([settlementOf(hold)], []))
  const { rows } = await client.query(
    'select pg_current_wal_flush_lsn() > $1::pg_lsn as is_on_disk',
    [written?.lsn],
  )
  assert.deepEqual(rows, [{ is_on_disk: true }])
})

test('a settlement charges nothing if a crash lost its hold, whose credit others can use', async () => {
  const wallet = await bank.openWallet(100n)
  const budget = await bank.openBudget({ ceiling: 100n })
  const lost = await bank.hold(wallet, 60n, { budgetId: budget })
  await lose(lost)
  const other = await bank.hold(wallet, 100n, { budgetId: budget })
  assert.deepEqual(await bank.settle(lost, 25n), {
    charged: 0n,
    expired: true,
    lost: true,
    wallet: { balance: 100n, held: 100n },
  })
  assert.deepEqual(await bank.release(lost), {
    charged: 0n,
    expired: true,
    lost: true,
    wallet: { balance: 100n, held: 100n },
  })
  assert.equal((await bank.settle(other, 100n)).charged, 100n)
  assert.deepEqual(await bank.windows(budget), {
    day_spent: 100n,
    day_held: 0n,
    week_spent: 100n,
    week_held: 0n,
    month_spent: 100n,
    month_held: 0n,
  })
  assert.equal((await database.query('select from transactions where id = $1', [lost.id])).count, 0)
  await bank.assertSound()
})

test("distinguishes a lost hold from an expired one in the caller's error", async () => {
  const wallet = await bank.openWallet(100n)
  const [lost, late, held] = [
    await bank.hold(wallet, 10n),
    await bank.hold(wallet, 10n, { deadlineMs: clock() - 1 }),
    await bank.hold(wallet, 10n),
  ]
  await lose(lost)
  await ledger.sweep()
  const [ofLost, ofLate, ofHeld] = await Promise.all(
    [lost, late, held].map((hold) => bank.settle(hold, 1n)),
  )
  assert.throws(() => assertHeld(ofLost as Settlement), {
    code: 'overloaded',
    retryAfterSeconds: 1,
  })
  assert.throws(() => assertHeld(ofLate as Settlement), { code: 'upstream_timeout' })
  assertHeld(ofHeld as Settlement)
})

test('only the settlements of lost holds charge nothing in a flush', async () => {
  const wallet = await bank.openWallet(100n)
  const holds = await Promise.all(Array.from({ length: 6 }, () => bank.hold(wallet, 10n)))
  await Promise.all([lose(holds[1] as Hold), lose(holds[4] as Hold)])
  const settlements = await Promise.all(holds.map((hold) => bank.settle(hold, 7n)))
  assert.deepEqual(
    settlements.map(({ charged, expired }) => [charged, expired]),
    [
      [7n, false],
      [0n, true],
      [7n, false],
      [7n, false],
      [0n, true],
      [7n, false],
    ],
  )
  assert.deepEqual(await bank.wallet(wallet), { balance: 72n, held: 0n })
  await bank.assertSound()
})

test('an idempotency key lost with its hold can be claimed again, despite a late settlement', async () => {
  const wallet = await bank.openWallet(100n)
  const claim: Claim = {
    accountId: await bank.openAccount(),
    route: 'run/search/web',
    idempotencyKey: 'once',
    fingerprint: '00',
    expiresMs: clock() + CALL_MS,
  }
  const lost = await bank.hold(wallet, 60n, { claim })
  await lose(lost)
  const again = await bank.hold(wallet, 60n, { claim })
  const late = await ledger.resolve({
    hold: lost,
    charge: 5n,
    latencyMs: 0,
    errorCode: null,
    hops: null,
    answer: { status: 200, body: '"late"' },
  })
  assert.deepEqual({ charged: late.charged, expired: late.expired }, { charged: 0n, expired: true })
  await ledger.resolve({
    hold: again,
    charge: 5n,
    latencyMs: 0,
    errorCode: null,
    hops: null,
    answer: { status: 200, body: '"in time"' },
  })
  const { rows } = await database.query('select call_id, body from answers where account_id = $1', [
    claim.accountId,
  ])
  assert.deepEqual(rows, [{ call_id: again.id, body: '"in time"' }])
  assert.deepEqual(await bank.wallet(wallet), { balance: 95n, held: 0n })
})

test.after(() => client.end())
