import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { DAY_MS, openBank, START_MS } from '../../test/harness/beds/ledger.ts'
import { manualClock } from '../../test/harness/manual-clock.ts'
import type { Id } from '../lib/ids.ts'
import type { Hold } from './hold.ts'
import type { ResettingPeriod } from './windows.ts'

const bank = await openBank()
const { clock, ledger } = bank
beforeEach(() => clock.set(START_MS))

const RESETS: Record<ResettingPeriod, number> = {
  day: Date.UTC(2026, 0, 15),
  week: Date.UTC(2026, 0, 19),
  month: Date.UTC(2026, 1, 1),
}

/** Holds of another wallet: several operations use another statement than a single one. */
const another = await bank.openWallet(1000n)
const openOthers = (): Promise<readonly Hold[]> =>
  Promise.all([1n, 1n, 1n, 1n].map((amount) => bank.hold(another, amount)))

/** The first attempt starts the day, the second finds it started, and the third shares a flush. */
async function assertFull(
  walletId: number,
  budgetId: Id,
  code = 'api_key_limit_exceeded',
): Promise<void> {
  const refused = (): Promise<void> =>
    assert.rejects(ledger.hold(bank.request(walletId, 1n, { budgetId })), { code })
  await refused()
  await refused()
  await Promise.all([refused(), openOthers()])
}

for (const period of ['day', 'week', 'month'] as const) {
  test(`a limit per ${period} resets at the first millisecond of the next window`, async () => {
    const wallet = await bank.openWallet(1000n)
    const budget = await bank.openBudget({ ceiling: 10n, period })
    await bank.settle(await bank.hold(wallet, 10n, { budgetId: budget }), 10n)
    clock.set(RESETS[period] - 1)
    await assertFull(wallet, budget)
    clock.advance(1)
    await bank.hold(wallet, 10n, { budgetId: budget })
    await assertFull(wallet, budget, 'room_held')
  })
}

test('a hold opened yesterday and settled today counts in yesterday, its week and its month', async () => {
  for (const isAlone of [true, false]) {
    clock.set(START_MS)
    const wallet = await bank.openWallet(1000n)
    const budget = await bank.openBudget({ ceiling: 10n, period: 'day' })
    const hold = await bank.hold(wallet, 10n, { budgetId: budget })
    clock.advance(DAY_MS)
    const today = await bank.hold(wallet, 10n, { budgetId: budget })
    const others = isAlone ? [] : await openOthers()
    await Promise.all([bank.settle(hold, 7n), ...others.map((other) => bank.settle(other, 1n))])
    assert.deepEqual(await bank.windows(budget), {
      day_spent: 0n,
      day_held: 10n,
      week_spent: 7n,
      week_held: 10n,
      month_spent: 7n,
      month_held: 10n,
    })
    await bank.settle(today, 4n)
    assert.deepEqual(await bank.windows(budget), {
      day_spent: 4n,
      day_held: 0n,
      week_spent: 11n,
      week_held: 0n,
      month_spent: 11n,
      month_held: 0n,
    })
  }
  await bank.assertSound()
})

test('a hold opened on Sunday and settled on Monday counts in the old week and in the month', async () => {
  const wallet = await bank.openWallet(1000n)
  const budget = await bank.openBudget()
  clock.set(RESETS.week - 1)
  const hold = await bank.hold(wallet, 10n, { budgetId: budget })
  clock.advance(1)
  await bank.settle(hold, 7n)
  assert.deepEqual(await bank.windows(budget), {
    day_spent: 0n,
    day_held: 0n,
    week_spent: 0n,
    week_held: 0n,
    month_spent: 7n,
    month_held: 0n,
  })
})

test('a hold opened in January and settled in February counts in January and in its week', async () => {
  const wallet = await bank.openWallet(1000n)
  const budget = await bank.openBudget()
  clock.set(Date.UTC(2026, 3, 30, 23))
  const hold = await bank.hold(wallet, 10n, { budgetId: budget })
  clock.set(Date.UTC(2026, 4, 1, 1))
  await bank.settle(hold, 7n)
  assert.deepEqual(await bank.windows(budget), {
    day_spent: 0n,
    day_held: 0n,
    week_spent: 7n,
    week_held: 0n,
    month_spent: 0n,
    month_held: 0n,
  })
  await bank.assertSound()
})

test('a new period includes earlier charges, without a recount', async () => {
  const wallet = await bank.openWallet(1000n)
  const budget = await bank.openBudget({ ceiling: 10n, period: 'day' })
  await bank.settle(await bank.hold(wallet, 10n, { budgetId: budget }), 10n)
  clock.advance(DAY_MS)
  await bank.settle(await bank.hold(wallet, 4n, { budgetId: budget }), 4n)
  await bank.database.query(
    "update budgets set period = 'week', ceiling_micros = 20 where id = $1",
    [budget],
  )
  await assert.rejects(ledger.hold(bank.request(wallet, 7n, { budgetId: budget })), {
    code: 'api_key_limit_exceeded',
  })
  await bank.hold(wallet, 6n, { budgetId: budget })
})

test('a process whose clock is behind cannot reopen yesterday', async () => {
  const wallet = await bank.openWallet(1000n)
  const budget = await bank.openBudget({ ceiling: 10n, period: 'day' })
  const lagging = bank.anotherLedger({ now: manualClock(START_MS) })
  clock.set(RESETS.day)
  await bank.settle(await bank.hold(wallet, 8n, { budgetId: budget }), 8n)
  await assert.rejects(
    lagging.hold({ ...bank.request(wallet, 3n, { budgetId: budget }), deadlineMs: START_MS + 1 }),
    { code: 'api_key_limit_exceeded' },
  )
  const late = await lagging.hold(bank.request(wallet, 2n, { budgetId: budget }))
  assert.ok(late.opened)
  assert.equal((await bank.windows(budget)).day_held, 2n)
  await lagging.resolve({ hold: late, charge: 2n, latencyMs: 0, errorCode: null, hops: null })
  assert.deepEqual(await bank.windows(budget), {
    day_spent: 10n,
    day_held: 0n,
    week_spent: 10n,
    week_held: 0n,
    month_spent: 10n,
    month_held: 0n,
  })
  await bank.assertSound()
})
