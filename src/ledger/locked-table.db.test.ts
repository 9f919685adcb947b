import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openBank } from '../../test/harness/beds/ledger.ts'
import { tryTimeLimits } from '../../test/harness/try-time-limits.ts'
import { AppError } from '../errors/app-error.ts'
import { createFlushConnection, type FlushPipeline } from './flush-connection.ts'

const bank = await openBank()

/** Locks a table like an operator's `lock table`. Returns the function that unlocks. */
function lockTable(name: string): Promise<() => Promise<void>> {
  return lockBy(`lock table ${name} in access exclusive mode`)
}

/** Locks with one statement and returns the function that unlocks. */
async function lockBy(statement: string): Promise<() => Promise<void>> {
  const locked = Promise.withResolvers<void>()
  const open = Promise.withResolvers<void>()
  const operator = bank.database.transaction(async (tx) => {
    await tx.query(statement)
    locked.resolve()
    await open.promise
  })
  await locked.promise
  return async () => {
    open.resolve()
    await operator
  }
}

const isOverloaded = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'overloaded' && error.retryAfterSeconds === 1

for (const table of ['wallets', 'holds', 'transactions']) {
  test(`with ${table} locked, calls are refused in time and earlier ones are settled once`, async () => {
    const wallet = await bank.openWallet(100n)
    const ledger = bank.anotherLedger({ pause: (ms) => new Promise((go) => setTimeout(go, ms)) })
    const call = await ledger.hold(bank.request(wallet, 10n))
    assert.ok(call.opened)
    const unlock = await lockTable(table)
    const settlement = ledger.resolve({
      hold: call,
      charge: 7n,
      latencyMs: 0,
      errorCode: null,
      hops: null,
    })
    const outcomes = await Promise.allSettled(
      Array.from({ length: 5 }, () => ledger.hold(bank.request(wallet, 1n))),
    )
    // Opening a hold writes no transaction.
    const refused =
      table === 'transactions' ? outcomes.filter(({ status }) => status === 'rejected') : outcomes
    for (const outcome of refused)
      assert.ok(outcome.status === 'rejected' && isOverloaded(outcome.reason))
    await unlock()
    const { charged, expired } = await settlement
    assert.deepEqual([charged, expired], [7n, false])
    assert.ok((await ledger.hold(bank.request(wallet, 1n))).opened)
    await bank.assertSound()
  })
}

/** A settlement that has failed on the lock at least once, and is retried until it works. */
async function failingSettlement(walletId: number) {
  const failed = Promise.withResolvers<void>()
  const ledger = bank.anotherLedger({
    pause(ms) {
      failed.resolve()
      return new Promise((go) => setTimeout(go, ms))
    },
  })
  const call = await ledger.hold(bank.request(walletId, 10n))
  assert.ok(call.opened)
  return {
    ledger,
    failed: failed.promise,
    settle: () =>
      ledger.resolve({ hold: call, charge: 7n, latencyMs: 0, errorCode: null, hops: null }),
  }
}

test('with transactions locked, later calls are rejected before they cost anything', async () => {
  const wallet = await bank.openWallet(100n)
  const { ledger, failed, settle } = await failingSettlement(wallet)
  const unlock = await lockTable('transactions')
  const settlement = settle()
  await failed
  await assert.rejects(ledger.hold(bank.request(wallet, 1n)), isOverloaded)
  assert.equal((await bank.wallet(wallet)).held, 10n)
  await unlock()
  assert.equal((await settlement).charged, 7n)
  assert.ok((await ledger.hold(bank.request(wallet, 1n))).opened)
  await bank.assertSound()
})

test('a locked row of one wallet does not stop the calls of another wallet', async () => {
  const [locked, other] = [await bank.openWallet(100n), await bank.openWallet(100n)]
  const { ledger, failed, settle } = await failingSettlement(locked)
  const unlock = await lockBy(`select from wallets where id = ${locked} for update`)
  const settlement = settle()
  await failed
  assert.ok((await ledger.hold(bank.request(other, 1n))).opened)
  await unlock()
  assert.equal((await settlement).charged, 7n)
  await bank.assertSound()
})

test('releases a hold that opens after its caller was refused, and frees its key', () =>
  tryTimeLimits([100, 1_000], async (holdWithinMs) => {
    const wallet = await bank.openWallet(100n)
    const impatient = bank.anotherLedger({ holdWithinMs })
    const warm = await impatient.hold(bank.request(wallet, 1n))
    assert.ok(warm.opened)
    const unlock = await lockTable('wallets')
    await assert.rejects(impatient.hold(bank.request(wallet, 10n)), isOverloaded)
    await unlock()
    await impatient.close()
    assert.equal((await bank.wallet(wallet)).held, 1n)
    await bank.assertSound()
  }))

test('replaces an idle connection that vanished before a call needs it', async () => {
  let probes = 0
  const dropped = Promise.withResolvers<void>()
  const line = (): FlushPipeline => ({
    connect: async () => {},
    lost: dropped.promise,
    query: async ({ text }) => {
      if (!text.includes('pg_stat_activity')) return []
      probes += 1
      throw new Error('The database did not answer.')
    },
    cut: () => dropped.resolve(),
    end: async () => {},
  })
  const connection = createFlushConnection(line, 5)
  await connection.opened()
  await dropped.promise
  assert.equal(connection.dropped(), 1)
  assert.equal(probes, 1)
})
