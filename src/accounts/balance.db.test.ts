import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { createWorld, WEDNESDAY } from '../../test/harness/beds/world.ts'
import { createKey } from '../keys/create-key.ts'
import { mintChild } from '../keys/children/mint-child.ts'
import { revokeKey } from '../keys/revoke-key.ts'
import { postCredit } from '../ledger/credit.ts'
import { verifyLedger } from '../ledger/verify.ts'
import { DAY_MS } from '../lib/clock.ts'
import { newId } from '../lib/ids.ts'
import { cents } from '../lib/money.ts'
import { readBalance, type Balance } from './balance.ts'
import { grantCredit } from './grant-credit.ts'

const world = await createWorld()
afterEach(() => world.now.set(WEDNESDAY))

const left = ({ lots }: Balance): unknown =>
  lots.map(({ source, remaining_micros: micros }) => [source, micros])

test('open holds are part of the balance but not available; settling a call removes both', async () => {
  const { caller } = await world.account()
  await world.call(caller, { hold: '10.5', open: true })
  await world.call(caller, { hold: '5', charge: '2.5' })
  const balance = await readBalance(world.keys, caller)
  assert.deepEqual(
    [
      balance.balance_cents,
      balance.balance_micros,
      balance.held_cents,
      balance.held_micros,
      balance.available_cents,
      balance.available_micros,
    ],
    [197, 1_975_000, 11, 105_000, 187, 1_870_000],
  )
  assert.deepEqual(
    [balance.spent_today_cents, balance.spent_today_micros, balance.spent_month_micros],
    [3, 25_000, 25_000],
  )
})

test('live and test credit never mix', async () => {
  const { caller, testCaller } = await world.account()
  await world.call(testCaller, { hold: '100' })
  const live = await readBalance(world.keys, caller)
  assert.deepEqual([live.balance_cents, live.spent_month_cents], [200, 0])
  const simulated = await readBalance(world.keys, testCaller)
  assert.deepEqual(
    [simulated.mode, simulated.balance_cents, simulated.spent_month_cents],
    ['test', 9900, 100],
  )
})

test('counts the spending of all keys, revoked ones included, and resets each window separately', async () => {
  const { caller } = await world.account()
  const { id, key } = await createKey(world.keys, caller, {})
  await world.call(caller, { hold: '1' })
  await world.call(await world.callerOf(key), { hold: '2' })
  await revokeKey(world.keys, caller, id)
  assert.deepEqual(await spent(), [3, 3])
  world.now.set(WEDNESDAY + DAY_MS)
  assert.deepEqual(await spent(), [0, 3])
  world.now.set(Date.parse('2027-04-01T00:00:00Z'))
  assert.deepEqual(await spent(), [0, 0])

  async function spent(): Promise<number[]> {
    const { spent_today_cents: today, spent_month_cents: month } = await readBalance(
      world.keys,
      caller,
    )
    return [today, month]
  }
})

test('counts the spending of a child key once', async () => {
  const { caller } = await world.account()
  const parent = await createKey(world.keys, caller, { may_mint: true })
  const parentCaller = await world.callerOf(parent.key)
  const child = await mintChild(world.keys, parentCaller, { label: 'a', ceiling_cents: 50 })
  await world.call(await world.callerOf(child.key), { hold: '2' })
  const balance = await readBalance(world.keys, caller)
  assert.deepEqual([balance.spent_today_cents, balance.spent_month_cents], [2, 2])
})

test('lists lots in order of spending, minus spending since they were last counted', async () => {
  const { caller } = await world.account()
  await postCredit(world.database, {
    id: newId(world.now()),
    walletId: caller.walletId,
    kind: 'topup',
    amount: cents('300'),
    nowMs: world.now(),
  })
  await grantCredit(world.keys, {
    accountId: caller.accountId,
    mode: 'live',
    amount: cents('50'),
    expiresAt: new Date(WEDNESDAY + DAY_MS),
  })
  assert.deepEqual(left(await readBalance(world.keys, caller)), [
    ['grant', 500_000],
    ['grant', 2_000_000],
    ['topup', 3_000_000],
  ])
  await world.call(caller, { hold: '60' })
  assert.deepEqual(left(await readBalance(world.keys, caller)), [
    ['grant', 1_900_000],
    ['topup', 3_000_000],
  ])
  await world.call(caller, { hold: '190' })
  assert.deepEqual(
    left(await readBalance(world.keys, caller)),
    [['topup', 3_000_000]],
    'what is used up to the last of it is gone',
  )
})

test('credit expires to the millisecond, before the next call', async () => {
  const { caller } = await world.account()
  await grantCredit(world.keys, {
    accountId: caller.accountId,
    mode: 'live',
    amount: cents('50'),
    expiresAt: new Date(WEDNESDAY + 1000),
  })
  world.now.set(WEDNESDAY + 999)
  assert.equal((await readBalance(world.keys, caller)).balance_cents, 250)
  world.now.set(WEDNESDAY + 1000)
  const after = await readBalance(world.keys, caller)
  assert.deepEqual([after.balance_cents, after.lots.length], [200, 1])
  assert.deepEqual((await verifyLedger(world.database)).findings, [])
})
