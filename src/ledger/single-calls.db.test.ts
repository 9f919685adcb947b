import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS, openBank, START_MS } from '../../test/harness/beds/ledger.ts'
import type { Batch, BatchResult } from './batch.ts'
import { flushBatch, flushWithin, type FlushClient } from './flush.ts'
import type { HoldRequest, Resolution } from './hold.ts'

const bank = await openBank()
const { clock, database } = bank
const client = database.connect('single call')
await client.connect()
const NOTICED_WITHIN_MS = 30_000

const batchOf = (
  resolutions: readonly Resolution[],
  holds: readonly HoldRequest[] = [],
): Batch => ({ nowMs: clock(), resolutions, holds })
const settlementOf = (hold: HoldRequest, charge: bigint): Resolution => ({
  hold,
  charge,
  latencyMs: 1,
  errorCode: null,
  hops: null,
})

async function waitsForALock(): Promise<void> {
  const until = performance.now() + NOTICED_WITHIN_MS
  for (;;) {
    assert.ok(performance.now() < until, 'the settlement waits for the wallet')
    const { count } = await database.query(
      "select from pg_stat_activity where application_name = 'tollgate single call' and datname = current_database() and wait_event_type = 'Lock'",
    )
    if (count > 0) return
  }
}

/**
 * Settles a call whose hold is still visible, while another process with the wallet's lock resolves
 * it first.
 */
async function settleBehindAnother(
  ended: readonly HoldRequest[],
  late: Resolution,
): Promise<BatchResult> {
  let waiting: Promise<BatchResult> | undefined
  await database.transaction(async (tx) => {
    const other: FlushClient = { query: ({ name, text, values }) => tx.query(text, values, name) }
    await flushWithin(other, batchOf(ended.map((hold) => settlementOf(hold, 3n))))
    waiting = flushBatch(client, batchOf([late]))
    await waitsForALock()
  })
  assert.ok(waiting)
  return waiting
}

test('a call that another process resolves meanwhile is gone, without partial writes', async () => {
  for (const others of [3, 0]) {
    const wallet = await bank.openWallet(100n)
    const budget = await bank.openBudget({ ceiling: 100n })
    const [first, ...rest] = await Promise.all(
      Array.from({ length: 1 + others }, () => bank.hold(wallet, 10n, { budgetId: budget })),
    )
    assert.ok(first)
    const { resolved, wallets } = await settleBehindAnother([first], settlementOf(first, 5n))
    const held = 10n * BigInt(others)
    assert.deepEqual(
      { resolved, wallet: wallets.get(wallet) },
      { resolved: ['gone'], wallet: { balance: 97n, held } },
    )
    assert.deepEqual(await bank.windows(budget), {
      day_spent: 3n,
      day_held: held,
      week_spent: 3n,
      week_held: held,
      month_spent: 3n,
      month_held: held,
    })
    for (const hold of rest) assert.equal((await bank.settle(hold, 10n)).charged, 10n)
    await bank.assertSound()
  }
})

test('a call that was resolved meanwhile changes no budget, even with holds of other keys', async () => {
  const wallet = await bank.openWallet(100n)
  const [budget, another] = [
    await bank.openBudget({ ceiling: 100n }),
    await bank.openBudget({ ceiling: 100n }),
  ]
  const call = await bank.hold(wallet, 10n, { budgetId: budget })
  await bank.hold(wallet, 50n, { budgetId: another })
  assert.deepEqual((await settleBehindAnother([call], settlementOf(call, 5n))).resolved, ['gone'])
  assert.deepEqual(await bank.wallet(wallet), { balance: 97n, held: 50n })
  await bank.assertSound()
})

test('a hold that its key refuses holds nothing in the wallet', async () => {
  const wallet = await bank.openWallet(100n)
  const closed = await bank.openBudget({ state: 'closed' })
  const short = await bank.openBudget({ ceiling: 9n })
  for (const [budgetId, verdict] of [
    [closed, 'closed'],
    [short, 'limit_reached'],
  ] as const) {
    const { opened, wallets } = await flushBatch(
      client,
      batchOf([], [bank.request(wallet, 10n, { budgetId })]),
    )
    assert.deepEqual(
      { opened, wallet: wallets.get(wallet) },
      { opened: [verdict], wallet: { balance: 100n, held: 0n } },
    )
    assert.deepEqual(await bank.wallet(wallet), { balance: 100n, held: 0n })
  }
  await bank.assertSound()
})

test('a call settled on the next day counts in the day of its hold', async () => {
  const wallet = await bank.openWallet(100n)
  const budget = await bank.openBudget({ ceiling: 100n })
  const call = await bank.hold(wallet, 10n, { budgetId: budget })
  clock.set(START_MS + DAY_MS)
  assert.deepEqual(await bank.settle(call, 4n), {
    charged: 4n,
    expired: false,
    wallet: { balance: 96n, held: 0n },
  })
  const { day_spent, day_held, month_spent } = await bank.windows(budget)
  assert.deepEqual(
    { day_spent, day_held, month_spent },
    { day_spent: 0n, day_held: 0n, month_spent: 4n },
  )
  await bank.assertSound()
})

test("a call settled after a grant's expiry keeps only its held part of the grant", async () => {
  const nowMs = clock()
  const wallet = await bank.openWallet(3n)
  await bank.post(wallet, 'grant', 10n, nowMs + 1_000)
  const call = await bank.hold(wallet, 4n)
  clock.set(nowMs + 1_000)
  assert.deepEqual(await bank.settle(call, 2n), {
    charged: 2n,
    expired: false,
    wallet: { balance: 5n, held: 0n },
  })
  await bank.assertSound()
})

test.after(() => client.end())
