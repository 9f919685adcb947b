import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openBank } from '../../test/harness/beds/ledger.ts'
import { newId } from '../lib/ids.ts'

const bank = await openBank()
const { ledger, clock } = bank

test('a hold reduces the wallet and all three windows of the budget in one step', async () => {
  const wallet = await bank.openWallet(100n)
  const budget = await bank.openBudget({ ceiling: 80n })
  await bank.hold(wallet, 60n, { budgetId: budget })
  assert.deepEqual(await bank.wallet(wallet), { balance: 100n, held: 60n })
  assert.deepEqual(await bank.windows(budget), {
    day_spent: 0n,
    day_held: 60n,
    week_spent: 0n,
    week_held: 60n,
    month_spent: 0n,
    month_held: 60n,
  })
})

test('a partial settlement charges the use and releases the rest', async () => {
  const wallet = await bank.openWallet(100n)
  const budget = await bank.openBudget({ ceiling: 80n })
  const hold = await bank.hold(wallet, 60n, { budgetId: budget })
  assert.deepEqual(await bank.settle(hold, 25n), {
    charged: 25n,
    expired: false,
    wallet: { balance: 75n, held: 0n },
  })
  assert.deepEqual(await bank.windows(budget), {
    day_spent: 25n,
    day_held: 0n,
    week_spent: 25n,
    week_held: 0n,
    month_spent: 25n,
    month_held: 0n,
  })
})

test('a failed call is charged nothing, and its transaction has the reason', async () => {
  const wallet = await bank.openWallet(100n)
  const hold = await bank.hold(wallet, 60n)
  assert.deepEqual(await bank.release(hold), {
    charged: 0n,
    expired: false,
    wallet: { balance: 100n, held: 0n },
  })
  const { rows } = await bank.database.query(
    'select status, amount_micros, held_micros, balance_after_micros, error_code, book from transactions where id = $1',
    [hold.id],
  )
  assert.deepEqual(rows, [
    {
      status: 'released',
      amount_micros: 0n,
      held_micros: 60n,
      balance_after_micros: 100n,
      error_code: 'upstream_error',
      book: 'revenue',
    },
  ])
})

test('posts every field of a call, with quotes, backslashes and nulls unchanged', async () => {
  const wallet = await bank.openWallet(100n)
  const odd = '"quo\\ted" {curly}, NULL \n\t — 価格 🧾'
  const hold = await bank.hold(wallet, 60n, {
    service: odd,
    action: '',
    externalId: 'null',
    app: { httpReferer: null, title: odd },
    priceId: odd,
    surface: 'mcp',
    kind: 'llm',
  })
  await ledger.resolve({
    hold,
    charge: 1n,
    latencyMs: 12.6,
    errorCode: null,
    hops: JSON.stringify([odd]),
  })
  const { rows } = await bank.database.query(
    'select kind, service, action, external_id, http_referer, app_title, price_id, surface, latency_ms, error_code, hops, budget_id from transactions where id = $1',
    [hold.id],
  )
  assert.deepEqual(rows, [
    {
      kind: 'llm',
      service: odd,
      action: '',
      external_id: 'null',
      http_referer: null,
      app_title: odd,
      price_id: odd,
      surface: 'mcp',
      latency_ms: 13,
      error_code: null,
      hops: [odd],
      budget_id: null,
    },
  ])
})

test('ledger and tables refuse a charge above the hold, below zero or for a failed call', async () => {
  const wallet = await bank.openWallet(100n)
  const hold = await bank.hold(wallet, 60n)
  await assert.rejects(bank.settle(hold, 61n), { name: 'BrokenInvariant' })
  await assert.rejects(bank.settle(hold, -1n), { name: 'BrokenInvariant' })
  await assert.rejects(
    ledger.resolve({ hold, charge: 1n, latencyMs: 0, errorCode: 'upstream_error', hops: null }),
    { name: 'BrokenInvariant' },
  )
  const row = `insert into transactions (id, wallet_id, sequence, day, kind, held_micros, balance_after_micros, book, status, amount_micros)
    values (gen_random_uuid(), $1, 9, 0, 'call', 60, 0, 'revenue', $2, $3)`
  await assert.rejects(bank.database.query(row, [wallet, 'settled', -61]), {
    constraint: 'charged_within_the_hold',
  })
  await assert.rejects(bank.database.query(row, [wallet, 'settled', 1]), {
    constraint: 'charged_within_the_hold',
  })
  await assert.rejects(bank.database.query(row, [wallet, 'released', -1]), {
    constraint: 'charged_within_the_hold',
  })
  await assert.rejects(
    bank.database.query('update wallets set held_micros = 101 where id = $1', [wallet]),
    { constraint: 'wallets_cover_holds' },
  )
  assert.deepEqual(await bank.wallet(wallet), { balance: 100n, held: 60n })
})

test('refuses a hold of zero', async () => {
  const wallet = await bank.openWallet(100n)
  await assert.rejects(ledger.hold(bank.request(wallet, 0n)), { name: 'BrokenInvariant' })
})

test('settles a call once, and returns the first outcome to a repeated settlement', async () => {
  const wallet = await bank.openWallet(100n)
  const hold = await bank.hold(wallet, 60n)
  const both = await Promise.all([bank.settle(hold, 20n), bank.settle(hold, 20n)])
  assert.deepEqual(
    both.map(({ charged }) => charged),
    [20n, 20n],
  )
  assert.equal((await bank.settle(hold, 55n)).charged, 20n)
  assert.equal((await bank.release(hold)).charged, 20n)
  assert.deepEqual(await bank.wallet(wallet), { balance: 80n, held: 0n })
})

test('the whole balance can be held and spent, to the last micro-dollar', async () => {
  const wallet = await bank.openWallet(7n)
  const hold = await bank.hold(wallet, 7n)
  await assert.rejects(ledger.hold(bank.request(wallet, 1n)), { code: 'room_held' })
  assert.deepEqual((await bank.settle(hold, 7n)).wallet, { balance: 0n, held: 0n })
  await assert.rejects(ledger.hold(bank.request(wallet, 1n)), { code: 'credits_required' })
})

test('a hold can use credit that a settlement of the same flush releases', async () => {
  const wallet = await bank.openWallet(10n)
  const budget = await bank.openBudget({ ceiling: 10n })
  const first = await bank.hold(wallet, 10n, { budgetId: budget })
  const [, second] = await Promise.all([
    bank.settle(first, 1n),
    ledger.hold(bank.request(wallet, 9n, { budgetId: budget })),
  ])
  assert.ok(second.opened)
  assert.deepEqual(await bank.wallet(wallet), { balance: 9n, held: 9n })
})

test('decides the holds of a flush in order: a smaller one fits after a refused one', async () => {
  const wallet = await bank.openWallet(10n)
  const outcomes = await Promise.allSettled(
    [6n, 6n, 4n].map((amount) => ledger.hold(bank.request(wallet, amount))),
  )
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
})

test('writes the opened hold when an earlier one of the flush is refused', async () => {
  const [poor, rich] = [await bank.openWallet(1n), await bank.openWallet(100n)]
  const [refused, opened] = [
    bank.request(poor, 50n, { action: 'refused' }),
    bank.request(rich, 7n, { action: 'opened', deadlineMs: clock() + 5 }),
  ]
  const outcomes = await Promise.allSettled([
    ledger.hold(refused),
    ledger.hold(bank.request(poor, 50n)),
    ledger.hold(opened),
  ])
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['rejected', 'rejected', 'fulfilled'],
  )
  const { rows } = await bank.database.query(
    'select id, wallet_id, amount_micros, attributes ->> 1 as action, deadline_ms from holds where wallet_id = any($1)',
    [[poor, rich]],
  )
  assert.deepEqual(rows, [
    {
      id: opened.id,
      wallet_id: BigInt(rich),
      amount_micros: 7n,
      action: 'opened',
      deadline_ms: BigInt(opened.deadlineMs),
    },
  ])
})

test('ids with and without dashes identify the same budget in one flush', async () => {
  const wallet = await bank.openWallet(1000n)
  const budgets = await Promise.all(
    [1n, 2n, 3n, 4n, 5n, 6n].map((ceiling) => bank.openBudget({ ceiling })),
  )
  const { rows } = await bank.database.query<{ dashed: string }>(
    'select id::text as dashed from budgets where id = any($1) order by id',
    [budgets],
  )
  const fromDatabase = await bank.database.query<{ id: string }>(
    'select id from budgets where id = any($1) order by id',
    [budgets],
  )
  assert.deepEqual(
    fromDatabase.rows.map(({ id }) => id),
    budgets.toSorted(),
  )
  const asked = [...budgets.toSorted().entries()].map(([place, id]) =>
    ledger.hold(
      bank.request(wallet, BigInt(place + 1), {
        budgetId: place % 2 === 0 ? id : (rows[place]?.dashed ?? ''),
      }),
    ),
  )
  await Promise.all(asked)
  await Promise.all(
    [...budgets, ...rows.map(({ dashed }) => dashed)].map((budgetId) =>
      assert.rejects(ledger.hold(bank.request(wallet, 1n, { budgetId })), { code: 'room_held' }),
    ),
  )
})

test('an unknown wallet or budget fails alone in its flush', async () => {
  const poor = await bank.openWallet(5n)
  const rich = await bank.openWallet(500n)
  const budget = await bank.openBudget({ ceiling: 500n })
  const outcomes = await Promise.allSettled([
    ledger.hold(bank.request(rich, 100n, { budgetId: budget })),
    ledger.hold(bank.request(rich + 1_000_000, 100n)),
    ledger.hold(bank.request(rich, 100n, { budgetId: newId(clock()) })),
    ledger.hold(bank.request(poor, 100n, { budgetId: budget })),
    ledger.hold(bank.request(0, 100n)),
  ])
  assert.deepEqual(
    outcomes.map((outcome) => (outcome.status === 'fulfilled' ? 'opened' : outcome.reason.code)),
    ['opened', 'internal', 'internal', 'credits_required', 'internal'],
  )
  assert.deepEqual(await bank.wallet(rich), { balance: 500n, held: 100n })
  const others = Array.from({ length: 4 }, () =>
    ledger.hold(bank.request(rich, 10n, { budgetId: budget })),
  )
  await assert.rejects(ledger.hold(bank.request(rich, 10n, { budgetId: newId(clock()) })), {
    code: 'internal',
  })
  assert.deepEqual(
    (await Promise.all(others)).map(({ opened }) => opened),
    [true, true, true, true],
  )
  assert.deepEqual(await bank.wallet(rich), { balance: 500n, held: 140n })
})

test('an amount beyond 2^53 is held, settled and posted exactly', async () => {
  const credit = 2n ** 61n + 1n
  const wallet = await bank.openWallet(credit)
  const hold = await bank.hold(wallet, 2n ** 60n + 1n)
  const { charged } = await bank.settle(hold, 2n ** 53n + 1n)
  assert.equal(charged, 9_007_199_254_740_993n)
  assert.deepEqual(await bank.wallet(wallet), { balance: credit - 2n ** 53n - 1n, held: 0n })
  const { rows } = await bank.database.query(
    'select held_micros, amount_micros, balance_after_micros from transactions where id = $1',
    [hold.id],
  )
  assert.deepEqual(rows, [
    {
      held_micros: 2n ** 60n + 1n,
      amount_micros: -(2n ** 53n) - 1n,
      balance_after_micros: credit - 2n ** 53n - 1n,
    },
  ])
})

test('the books balance after these tests', () => bank.assertSound())
