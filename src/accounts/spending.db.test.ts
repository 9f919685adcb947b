import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld } from '../../test/harness/beds/world.ts'
import type { Caller } from '../keys/caller.ts'
import { createKey } from '../keys/create-key.ts'
import { DAY_MS } from '../lib/clock.ts'
import { newId } from '../lib/ids.ts'
import { cents } from '../lib/money.ts'
import { readBalance } from './balance.ts'
import {
  readSpending,
  type SpendingOfDays,
  type SpendingRequest,
} from '../history/read-spending.ts'

const world = await createWorld()
const { database, now, ledger } = world

const spendingOf = (
  { walletId }: Caller,
  more: Partial<SpendingRequest & { lookedThrough: number }> = {},
): Promise<SpendingOfDays> =>
  readSpending(
    {
      database,
      nowMs: now(),
      ...(more.lookedThrough === undefined ? {} : { lookedThrough: more.lookedThrough }),
    },
    { walletId, days: 30, filter: {}, ...more },
  )

const sum = (calls: number, released: number, charged_micros: number) => ({
  calls,
  released,
  charged_cents: Math.ceil(charged_micros / 10_000),
  charged_micros,
})

test('sums costs by day, action and key, most expensive first; failed calls cost nothing', async () => {
  const { caller, live } = await world.account()
  const { id, key } = await createKey(world.keys, caller, { label: 'second' })
  const second = await world.callerOf(key)
  await world.call(caller, { hold: '0.1', charge: '0.0401' })
  await world.call(caller, { service: 'render', action: 'map', errorCode: 'upstream_error' })
  now.advance(DAY_MS)
  await world.call(second, { hold: '3' })
  await world.call(second, { open: true })
  const { since, complete, total, days, actions, keys } = await spendingOf(caller)
  assert.deepEqual([since, complete, total], ['2027-02-17T00:00:00.000Z', true, sum(3, 1, 30_401)])
  assert.deepEqual(days, [
    { date: '2027-03-18', ...sum(1, 0, 30_000) },
    { date: '2027-03-17', ...sum(2, 1, 401) },
  ])
  assert.deepEqual(actions, [
    { service: 'semantic', action: 'search', ...sum(2, 0, 30_401) },
    { service: 'render', action: 'map', ...sum(1, 1, 0) },
  ])
  assert.deepEqual(keys, [
    { agent_id: id, ...sum(1, 0, 30_000) },
    { agent_id: live.id, ...sum(2, 1, 401) },
  ])
})

test('the sum of today equals spent_today, also for a call from before midnight settled after it', async () => {
  const { caller } = await world.account()
  now.set(Date.parse('2027-04-02T23:59:59.999Z'))
  const { walletId, budgetId, externalId } = caller
  const hold = await ledger.hold({
    id: newId(now()),
    walletId,
    budgetId,
    amount: cents('1'),
    deadlineMs: now() + 60_000,
    kind: 'call',
    service: 'semantic',
    action: 'search',
    externalId,
    claim: null,
  })
  assert.ok(hold.opened)
  now.advance(1)
  await ledger.resolve({ hold, charge: cents('1'), latencyMs: 1, errorCode: null, hops: null })
  await world.call(caller, { hold: '2' })
  const { days } = await spendingOf(caller, { days: 1 })
  const { spent_today_micros: today } = await readBalance({ database, now }, caller)
  assert.deepEqual(days, [{ date: '2027-04-03', ...sum(1, 0, today) }])
  const { days: both } = await spendingOf(caller, { days: 2 })
  assert.deepEqual(
    both.map(({ charged_micros: charged }) => charged),
    [20_000, 10_000],
  )
})

test('excludes credit, earlier calls, the other mode and other accounts', async () => {
  const { caller, testCaller } = await world.account()
  await world.call(caller, {})
  now.advance(2 * DAY_MS)
  await world.call(testCaller, { hold: '5' })
  await world.call((await world.account()).caller, { hold: '7' })
  assert.deepEqual((await spendingOf(caller, { days: 2 })).total, sum(0, 0, 0))
  assert.deepEqual((await spendingOf(caller, { days: 3 })).total, sum(1, 0, 10_000))
  assert.deepEqual((await spendingOf(testCaller)).total, sum(1, 0, 50_000))
})

test('a filter selects the matching calls', async () => {
  const { caller } = await world.account()
  await world.call(caller, { externalId: 'tenant' })
  await world.call(caller, { service: 'render', action: 'map', hold: '4' })
  assert.deepEqual(
    (await spendingOf(caller, { filter: { externalId: 'tenant' } })).total,
    sum(1, 0, 10_000),
  )
  assert.deepEqual(
    (await spendingOf(caller, { filter: { service: 'render', action: 'map' } })).actions,
    [{ service: 'render', action: 'map', ...sum(1, 0, 40_000) }],
  )
})

test('counts the latest calls when there are too many, and states since when', async () => {
  const { caller } = await world.account()
  await world.call(caller, {})
  now.advance(60_000)
  const since = new Date(now()).toISOString()
  await world.call(caller, {})
  await world.call(caller, {})
  const cut = await spendingOf(caller, { lookedThrough: 2 })
  assert.deepEqual([cut.complete, cut.since, cut.total.calls], [false, since, 2])
  // The account's first credit is a transaction too.
  assert.ok((await spendingOf(caller, { lookedThrough: 5 })).complete)
})
