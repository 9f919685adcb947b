import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { CALL_MS, openBank, START_MS } from '../../test/harness/beds/ledger.ts'
import { cleanUp } from '../../test/harness/clean-up.ts'
import { tryTimeLimits } from '../../test/harness/try-time-limits.ts'
import { startLossyProxy } from '../../test/harness/vendors/lossy-proxy.ts'
import { connectDatabase } from '../db/database.ts'
import type { Hold } from './hold.ts'
import type { Settlement } from './ledger.ts'

const bank = await openBank()
const { clock, database } = bank
const proxy = await startLossyProxy(bank.target)
const proxied = connectDatabase(proxy.address, { poolSize: 1 })
cleanUp(() => proxied.close())

// Only flushes use the proxy.
const lossy = { ...database, connect: proxied.connect }
const pauses: number[] = []
const NOTICED_WITHIN_MS = 30_000
const ledger = bank.anotherLedger({ database: lossy, pause: async (ms) => void pauses.push(ms) })

beforeEach(() => {
  clock.set(START_MS)
  pauses.length = 0
})

const settle = (call: Hold, charge: bigint): Promise<Settlement> =>
  ledger.resolve({ hold: call, charge, latencyMs: 0, errorCode: null, hops: null })

async function hold(walletId: number, amount: bigint): Promise<Hold> {
  const held = await ledger.hold(bank.request(walletId, amount))
  assert.ok(held.opened)
  return held
}

test('charges once and reports correctly when the response to a settlement is lost', async () => {
  const wallet = await bank.openWallet(100n)
  const call = await hold(wallet, 10n)
  const lost = proxy.loseNext('cut-answer')
  const settlement = settle(call, 7n)
  await lost
  assert.deepEqual(await settlement, {
    charged: 7n,
    expired: false,
    wallet: { balance: 93n, held: 0n },
  })
  assert.deepEqual(pauses, [100])
  const { rows } = await database.query(
    'select count(*) as posted, sum(amount_micros)::bigint as moved from transactions where id = $1',
    [call.id],
  )
  assert.deepEqual(rows, [{ posted: 1n, moved: -7n }])
})

test('repeats a settlement that never arrived, and charges once', async () => {
  const goOn = Promise.withResolvers<void>()
  const waiting = bank.anotherLedger({ database: lossy, pause: () => goOn.promise })
  const wallet = await bank.openWallet(100n)
  const call = await waiting.hold(bank.request(wallet, 10n))
  assert.ok(call.opened)
  const lost = proxy.loseNext('cut-question')
  const settlement = waiting.resolve({
    hold: call,
    charge: 7n,
    latencyMs: 0,
    errorCode: null,
    hops: null,
  })
  await lost
  assert.equal((await bank.wallet(wallet)).held, 10n)
  goOn.resolve()
  assert.deepEqual(await settlement, {
    charged: 7n,
    expired: false,
    wallet: { balance: 93n, held: 0n },
  })
})

test('charges nothing and reports no expiry when the response to a release is lost', async () => {
  const wallet = await bank.openWallet(100n)
  const call = await hold(wallet, 10n)
  const lost = proxy.loseNext('cut-answer')
  const settlement = ledger.resolve({
    hold: call,
    charge: 0n,
    latencyMs: 0,
    errorCode: 'upstream_error',
    hops: null,
  })
  await lost
  assert.deepEqual(await settlement, {
    charged: 0n,
    expired: false,
    wallet: { balance: 100n, held: 0n },
  })
})

test('refuses the call when the response to its hold is lost; the sweep releases the hold', async () => {
  const wallet = await bank.openWallet(100n)
  const lost = proxy.loseNext('cut-answer')
  await assert.rejects(hold(wallet, 10n), { code: 'overloaded', retryAfterSeconds: 1 })
  await lost
  assert.deepEqual(await bank.wallet(wallet), { balance: 100n, held: 10n })
  clock.advance(CALL_MS + 1)
  assert.equal(await ledger.sweep(), 1)
  assert.deepEqual(await bank.wallet(wallet), { balance: 100n, held: 0n })
})

test('refuses a hold that never arrived, and holds no credit', async () => {
  const wallet = await bank.openWallet(100n)
  const lost = proxy.loseNext('cut-question')
  await assert.rejects(hold(wallet, 10n), { code: 'overloaded' })
  await lost
  assert.deepEqual(await bank.wallet(wallet), { balance: 100n, held: 0n })
})

test('repeats the settlements of a broken flush and refuses its holds', async () => {
  const wallet = await bank.openWallet(100n)
  const calls = await Promise.all(Array.from({ length: 5 }, () => hold(wallet, 10n)))
  const lost = proxy.loseNext('cut-answer')
  const outcomes = await Promise.allSettled([
    ...calls.map((call) => settle(call, 1n)),
    hold(wallet, 2n),
  ])
  await lost
  assert.deepEqual(
    outcomes.map((outcome) =>
      outcome.status === 'fulfilled'
        ? 'charged' in outcome.value && outcome.value.charged
        : outcome.reason.code,
    ),
    [1n, 1n, 1n, 1n, 1n, 'overloaded'],
  )
  assert.deepEqual(await bank.wallet(wallet), { balance: 95n, held: 2n })
})

test('repeats a settlement on a new connection when the database is silent', async () => {
  await tryTimeLimits([100, 1_000, 10_000], async (flushTimeoutMs) => {
    const impatient = bank.anotherLedger({ database: lossy, flushTimeoutMs })
    const wallet = await bank.openWallet(100n)
    const call = await impatient.hold(bank.request(wallet, 10n))
    assert.ok(call.opened)
    const lost = proxy.loseNext('swallow-answer')
    const settlement = impatient.resolve({
      hold: call,
      charge: 7n,
      latencyMs: 0,
      errorCode: null,
      hops: null,
    })
    await lost
    assert.deepEqual(await settlement, {
      charged: 7n,
      expired: false,
      wallet: { balance: 93n, held: 0n },
    })
  })
})

test('without a database, refuses holds and retries settlements with exponential backoff', async () => {
  const wallet = await bank.openWallet(100n)
  const call = await hold(wallet, 10n)
  proxy.shut()
  await assert.rejects(hold(wallet, 1n), { code: 'overloaded' })
  await assert.rejects(settle(call, 7n), { code: 'overloaded', message: /carried out/ })
  assert.deepEqual(pauses, [100, 200, 400, 800, 1600, ...Array.from({ length: 20 }, () => 2000)])
  proxy.open()
  clock.advance(CALL_MS + 1)
  await ledger.sweep()
  assert.deepEqual(await settle(call, 7n), {
    charged: 0n,
    expired: true,
    wallet: { balance: 100n, held: 0n },
  })
})

test('a settlement survives an outage that ends before its last attempt', async () => {
  const wallet = await bank.openWallet(100n)
  const waiting = bank.anotherLedger({
    database: lossy,
    pause: async (ms) => (ms === 1600 ? proxy.open() : undefined),
  })
  const call = await hold(wallet, 10n)
  proxy.shut()
  assert.equal(
    (await waiting.resolve({ hold: call, charge: 7n, latencyMs: 0, errorCode: null, hops: null }))
      .charged,
    7n,
  )
})

test('replaces an ended session with one session, not two', async () => {
  const wallet = await bank.openWallet(1000n)
  const name = 'tollgate ledger'
  await database.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1 and datname = current_database()',
    [name],
  )
  for (let round = 0; round < 5; round += 1) {
    const call = await ledger.hold(bank.request(wallet, 1n)).catch(() => null)
    const lost = proxy.loseNext('cut-answer')
    await ledger.hold(bank.request(wallet, 1n)).catch(() => null)
    await lost
    if (call?.opened === true) await settle(call, 1n)
  }
  const open = async (): Promise<number> =>
    (
      await database.query(
        'select from pg_stat_activity where application_name = $1 and datname = current_database()',
        [name],
      )
    ).count
  // The server notices a cut connection a moment later. A second session of the ledger would stay.
  let sessions = await open()
  const until = performance.now() + NOTICED_WITHIN_MS
  while (sessions !== 1 && performance.now() < until) sessions = await open()
  assert.equal(sessions, 1)
})

async function storm(lanes: number, callsOfEach: number): Promise<void> {
  const wallet = await bank.openWallet(100_000n)
  const budget = await bank.openBudget({ ceiling: 100_000n })
  let chunk = 0
  proxy.decide((towards) => {
    chunk += 1
    // An irregular rhythm, so the calls cannot synchronize with it.
    return (chunk * 7_919) % 101 < 15
      ? towards === 'server'
        ? 'cut-question'
        : 'cut-answer'
      : null
  })
  const acknowledged: bigint[] = []
  async function lane(_: unknown, place: number): Promise<void> {
    // Every second call begins during the first flush.
    if (place % 2 === 1) await turnOfTheLoop()
    for (let call = 0; call < callsOfEach; call += 1) {
      const held = await ledger
        .hold(bank.request(wallet, 9n, { budgetId: budget }))
        .catch(() => null)
      if (held?.opened !== true) continue
      const settlement = await settle(held, BigInt(call % 9) + 1n).catch(() => null)
      if (settlement !== null) acknowledged.push(settlement.charged)
    }
  }
  await Promise.all(Array.from({ length: lanes }).map(lane))
  proxy.decide(() => null)
  const charged = acknowledged.reduce((sum, amount) => sum + amount, 0n)
  assert.ok(
    acknowledged.length > 50,
    `${acknowledged.length} of ${lanes * callsOfEach} calls went through`,
  )
  const { rows } = await database.query<{ spent: bigint; calls: bigint }>(
    "select coalesce(-sum(amount_micros), 0)::bigint as spent, count(*) as calls from transactions where wallet_id = $1 and kind = 'call'",
    [wallet],
  )
  assert.ok((rows[0]?.spent ?? 0n) >= charged)
  clock.advance(CALL_MS + 1)
  await ledger.sweep()
  assert.equal((await bank.wallet(wallet)).held, 0n)
  assert.equal((await bank.windows(budget)).day_held, 0n)
}

test('posts acknowledged results once in a storm of lost requests and responses', () =>
  storm(8, 40))

test('posts acknowledged results once in a storm that breaks two flushes together', () =>
  storm(100, 10))

test('the books balance after these tests', () => bank.assertSound())
