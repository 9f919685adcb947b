import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS, openBank } from '../../test/harness/beds/ledger.ts'
import { AppError } from '../errors/app-error.ts'
import { toRfc3339 } from '../lib/clock.ts'
import { publicId } from '../lib/ids.ts'
import { cents } from '../lib/money.ts'
import type { HoldRequest } from './hold.ts'

const bank = await openBank()

async function refused(request: HoldRequest): Promise<AppError> {
  const error: unknown = await bank.ledger.hold(request).then(
    () => null,
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof AppError)
  return error
}

test('credits_required has the required amount, the balance, the held amount and where to pay', async () => {
  const wallet = await bank.openWallet(cents('10') + 1n)
  await bank.hold(wallet, cents('2.5'))
  const { code, message, fix, details } = await refused(bank.request(wallet, cents('10.0002')))
  assert.equal(code, 'credits_required')
  assert.equal(message, 'This call may cost $0.100002; $0.075001 of the balance can be spent.')
  assert.equal(
    fix,
    'Ask the operator of this gateway for credit, or lower the cost of the call. The balance is shown at https://pay.example/topup.',
  )
  assert.deepEqual(details, {
    required_cents: 11,
    balance_cents: 10,
    held_cents: 3,
    required_micros: 100_002,
    balance_micros: 100_001,
    held_micros: 25_000,
    topup_url: 'https://pay.example/topup',
    bound_by: 'balance',
  })
})

test('credits_required has the page to add credit where credit is sold', async () => {
  const wallet = await bank.openWallet()
  const selling = bank.anotherLedger({ sellsCredit: true })
  await assert.rejects(selling.hold(bank.request(wallet, 1n)), {
    code: 'credits_required',
    fix: 'Add credit at https://pay.example/topup, or lower the cost of the call.',
  })
})

test('does not send test keys to buy credit', async () => {
  const wallet = await bank.openWallet()
  await bank.database.query("update wallets set mode = 'test' where id = $1", [wallet])
  const selling = bank.anotherLedger({ sellsCredit: true })
  await assert.rejects(selling.hold(bank.request(wallet, 1n)), {
    code: 'credits_required',
    fix: /^Ask the operator of this gateway for credit/,
  })
})

test('api_key_limit_exceeded has the limit, spent and held in its window, and its reset', async () => {
  const wallet = await bank.openWallet(cents('100'))
  const budget = await bank.openBudget({ ceiling: cents('5'), period: 'week' })
  await bank.settle(await bank.hold(wallet, cents('2'), { budgetId: budget }), cents('1.5'))
  await bank.hold(wallet, cents('1'), { budgetId: budget })
  // Yesterday is in the same week.
  bank.clock.advance(DAY_MS)
  const { code, message, fix, details } = await refused(
    bank.request(wallet, cents('3.5001'), { budgetId: budget }),
  )
  assert.equal(code, 'api_key_limit_exceeded')
  assert.equal(
    message,
    "This call may cost $0.035001; of the key's $0.05 a week, $0.015 is spent and $0.01 is held by calls in progress.",
  )
  assert.equal(
    fix,
    'Wait until 2026-01-19T00:00:00.000Z, or raise the ceiling with the primary key (PATCH /api/v1/agents/{id}).',
  )
  assert.deepEqual(details, {
    ceiling_cents: 5,
    ceiling_period: 'week',
    spent_cents: 2,
    held_cents: 1,
    spent_micros: 15_000,
    held_micros: 10_000,
    required_micros: 35_001,
    resets_at: '2026-01-19T00:00:00.000Z',
    bound_by: 'key',
    key_id: publicId('key', budget),
  })
  assert.ok(
    (await bank.ledger.hold(bank.request(wallet, cents('2.5'), { budgetId: budget }))).opened,
  )
})

test('room_held names the limit, its figures and the time when enough is free', async () => {
  const wallet = await bank.openWallet(cents('10'))
  const budget = await bank.openBudget({ ceiling: cents('5'), period: 'day' })
  await bank.settle(await bank.hold(wallet, cents('1'), { budgetId: budget }), cents('1'))
  const first = await bank.hold(wallet, cents('1'), { budgetId: budget })
  const late = {
    budgetId: budget,
    deadlineMs: first.deadlineMs + 600_000,
    kind: 'session',
  } as const
  const second = await bank.hold(wallet, cents('2'), late)
  const byKey = await refused(bank.request(wallet, cents('2.5'), { budgetId: budget }))
  assert.equal(byKey.code, 'room_held')
  assert.equal(
    byKey.message,
    "This call may cost $0.025; $0.01 of the key's $0.05 is spent, and $0.03 is held by 2 calls in progress.",
  )
  assert.equal(byKey.retryAfterSeconds, 1)
  assert.deepEqual(byKey.details, {
    required_micros: 25_000,
    spent_micros: 10_000,
    held_micros: 30_000,
    available_micros: 10_000,
    limit_micros: 50_000,
    limit: 'key',
    bound_by: 'key',
    key_id: publicId('key', budget),
    short_by: 'held',
    until: toRfc3339(second.deadlineMs),
  })
  const byBalance = await refused(bank.request(wallet, cents('7')))
  assert.equal(
    byBalance.message,
    'This call may cost $0.07; the balance is $0.09, and $0.03 is held by 2 calls in progress.',
  )
  assert.equal(byBalance.details?.['until'], toRfc3339(first.deadlineMs))
  await bank.settle(second, cents('2'))
  for (const [code, request] of [
    ['api_key_limit_exceeded', bank.request(wallet, cents('2.5'), { budgetId: budget })],
    ['credits_required', bank.request(wallet, cents('8'))],
  ] as const)
    assert.equal((await refused(request)).code, code)
})

test('does not suggest waiting to a call above the whole limit, and shows the current window', async () => {
  const wallet = await bank.openWallet(cents('100'))
  const budget = await bank.openBudget({ ceiling: cents('5'), period: 'day' })
  await bank.settle(await bank.hold(wallet, cents('4'), { budgetId: budget }), cents('4'))
  bank.clock.advance(86_400_000)
  const { code, message, fix, details } = await refused(
    bank.request(wallet, cents('5.0001'), { budgetId: budget }),
  )
  assert.equal(code, 'api_key_limit_exceeded')
  assert.equal(
    message,
    "This call may cost $0.050001; of the key's $0.05 a day, $0.00 is spent and $0.00 is held by calls in progress.",
  )
  assert.equal(
    fix,
    'Lower the cost of the call, or raise the ceiling with the primary key (PATCH /api/v1/agents/{id}). Waiting does not help: the call may cost more than the whole ceiling.',
  )
  assert.equal(details?.['spent_cents'], 0)
})

test('refuses a paused key with api_key_paused and a closed one with invalid_token', async () => {
  const wallet = await bank.openWallet(100n)
  const paused = await bank.openBudget({ state: 'paused' })
  const closed = await bank.openBudget({ state: 'closed' })
  assert.equal(
    (await refused(bank.request(wallet, 1n, { budgetId: paused }))).code,
    'api_key_paused',
  )
  assert.equal(
    (await refused(bank.request(wallet, 1n, { budgetId: closed }))).code,
    'invalid_token',
  )
})

test('refuses a key that was paused or closed after a call, alone and among others', async () => {
  const [wallet, another] = [await bank.openWallet(100n), await bank.openWallet(100n)]
  for (const [state, code] of [
    ['paused', 'api_key_paused'],
    ['closed', 'invalid_token'],
  ] as const) {
    const budget = await bank.openBudget()
    await bank.settle(await bank.hold(wallet, 1n, { budgetId: budget }), 1n)
    await bank.database.query('update budgets set state = $2 where id = $1', [budget, state])
    assert.equal((await refused(bank.request(wallet, 1n, { budgetId: budget }))).code, code)
    const others = Array.from({ length: 4 }, () => bank.hold(another, 1n))
    assert.equal((await refused(bank.request(wallet, 1n, { budgetId: budget }))).code, code)
    await Promise.all(others)
  }
})

test('refuses a key for its state first, then for its limit, then for credit', async () => {
  const wallet = await bank.openWallet()
  const closed = await bank.openBudget({ ceiling: 0n, state: 'closed' })
  const paused = await bank.openBudget({ ceiling: 0n, state: 'paused' })
  const spent = await bank.openBudget({ ceiling: 0n })
  const open = await bank.openBudget()
  const codes = await Promise.all(
    [closed, paused, spent, open].map(
      async (budgetId) => (await refused(bank.request(wallet, 1n, { budgetId }))).code,
    ),
  )
  assert.deepEqual(codes, [
    'invalid_token',
    'api_key_paused',
    'api_key_limit_exceeded',
    'credits_required',
  ])
})

test('a key that was paused while its call ran is still settled', async () => {
  const wallet = await bank.openWallet(100n)
  const budget = await bank.openBudget()
  const hold = await bank.hold(wallet, 10n, { budgetId: budget })
  await bank.database.query("update budgets set state = 'paused' where id = $1", [budget])
  assert.equal((await bank.settle(hold, 10n)).charged, 10n)
})

test('a limit below the amount already spent refuses new calls and undoes none', async () => {
  const wallet = await bank.openWallet(100n)
  const budget = await bank.openBudget({ ceiling: 50n })
  const open = await bank.hold(wallet, 20n, { budgetId: budget })
  await bank.settle(await bank.hold(wallet, 20n, { budgetId: budget }), 20n)
  await bank.database.query('update budgets set ceiling_micros = 5 where id = $1', [budget])
  assert.deepEqual(
    (await refused(bank.request(wallet, 1n, { budgetId: budget }))).code,
    'api_key_limit_exceeded',
  )
  assert.equal((await bank.settle(open, 20n)).charged, 20n)
  await bank.database.query('update budgets set ceiling_micros = null where id = $1', [budget])
  await bank.hold(wallet, 60n, { budgetId: budget })
})

test('a refusal leaves no hold, no transaction and no held credit', async () => {
  const wallet = await bank.openWallet(5n)
  const budget = await bank.openBudget({ ceiling: 100n })
  const request = bank.request(wallet, 6n, { budgetId: budget })
  await refused(request)
  const { rows } = await bank.database.query(
    'select (select count(*) from holds where id = $1) as holds, (select count(*) from transactions where id = $1) as transactions',
    [request.id],
  )
  assert.deepEqual(rows, [{ holds: 0n, transactions: 0n }])
  assert.equal((await bank.windows(budget)).day_held, 0n)
  assert.deepEqual(await bank.wallet(wallet), { balance: 5n, held: 0n })
  await bank.assertSound()
})
