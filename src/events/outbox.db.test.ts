/** Events are written in the commit of their cause, exactly once. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fc } from '../../test/harness/property.ts'
import { createWorld } from '../../test/harness/beds/world.ts'
import { createAccount } from '../accounts/create-account.ts'
import { createKey } from '../keys/create-key.ts'
import type { Caller } from '../keys/caller.ts'
import { updateKey } from '../keys/update-key.ts'
import { postCredit } from '../ledger/credit.ts'
import { createLedger } from '../ledger/ledger.ts'
import type { Period } from '../ledger/windows.ts'
import { DAY_MS } from '../lib/clock.ts'
import { newId } from '../lib/ids.ts'
import { cents, wholeCents } from '../lib/money.ts'
import { setBalanceAlert, setKeyAlert } from './alerts.ts'
import type { EventRecord } from './event-record.ts'
import { writeExpiries } from './write-expiries.ts'
import { deleteOldEvents, EVENTS_STORED_MS, listEvents } from './list-events.ts'

const world = await createWorld()
const { database, now, ledger, keys } = world

async function eventsOf(caller: Caller, ...types: string[]): Promise<EventRecord[]> {
  const page = { after: null, limit: 1_000, types }
  const { events } = await listEvents(database, { ...caller, scope: 'account' }, page)
  return [...events]
}

const percentsOf = async (caller: Caller): Promise<unknown[]> =>
  (await eventsOf(caller, 'key.threshold')).map(({ data }) => data['threshold_percent'])

/** An account with a key that has a limit, and enough credit. */
async function limitedKey(ceilingCents: number, period: Period = 'day') {
  const account = await world.account()
  await addCredit(account.caller, 1_000_000)
  const { id, key } = await createKey(keys, account.caller, {
    ceiling_cents: ceilingCents,
    ceiling_period: period,
  })
  return { ...account, id, key: await world.callerOf(key) }
}

const addCredit = (caller: Caller, amountCents: number, kind: 'topup' | 'grant' = 'topup') =>
  postCredit(database, {
    id: newId(now()),
    walletId: caller.walletId,
    kind,
    amount: wholeCents(amountCents),
    nowMs: now(),
  })

describe('key.threshold', () => {
  test('is written at each crossing, with the figures of the commit', async () => {
    const { key, id } = await limitedKey(100)
    for (const hold of ['49', '1', '29', '1', '19.9999']) await world.call(key, { hold })
    assert.deepEqual(await percentsOf(key), [50, 80])
    await world.call(key, { hold: '0.0001' })
    const events = await eventsOf(key, 'key.threshold')
    assert.deepEqual(
      events.map(({ data }) => [data['threshold_percent'], data['spent_micros'], data['key_id']]),
      [
        [50, 500_000, id],
        [80, 800_000, id],
        [100, 1_000_000, id],
      ],
    )
    const { sequence: _, ...data } = events[0]!.data
    assert.deepEqual(data, {
      key_id: id,
      external_id: null,
      threshold_percent: 50,
      spent_micros: 500_000,
      ceiling_micros: 1_000_000,
      ceiling_period: 'day',
      window_start: '2027-03-17',
    })
  })

  test('one charge that crosses several thresholds writes each of them', async () => {
    const { key } = await limitedKey(10)
    await world.call(key, { hold: '9' })
    assert.deepEqual(await percentsOf(key), [50, 80])
  })

  test('is written once for 1,000 concurrent calls across it, on two ledgers', async () => {
    const { key } = await limitedKey(1_000, 'month')
    const other = createLedger({
      database,
      now,
      topupUrl: 'https://tollgate.example/balance',
      pause: async () => {},
    })
    const settle = async (one: typeof ledger): Promise<void> => {
      const hold = await one.hold({
        id: newId(now()),
        walletId: key.walletId,
        budgetId: key.budgetId,
        amount: cents('0.9'),
        deadlineMs: now() + 60_000,
        kind: 'call',
        service: 'semantic',
        action: 'search',
        externalId: null,
        claim: null,
      })
      assert.equal(hold.opened, true)
      if (!hold.opened) return
      await one.resolve({ hold, charge: cents('0.9'), latencyMs: 1, errorCode: null, hops: null })
    }
    await Promise.all(
      Array.from({ length: 1_000 }, (_, at) => settle(at % 2 === 0 ? ledger : other)),
    )
    await other.close()
    assert.deepEqual(await percentsOf(key), [50, 80])
  })

  test('is written again in the next window', async () => {
    const { key } = await limitedKey(10)
    await world.call(key, { hold: '5' })
    now.advance(DAY_MS)
    await world.call(key, { hold: '4' })
    assert.deepEqual(await percentsOf(key), [50])
    await world.call(key, { hold: '1' })
    assert.deepEqual(await percentsOf(key), [50, 50])
  })

  test('is not written for a released call, a held amount, or a key without a limit', async () => {
    const { key } = await limitedKey(10)
    await world.call(key, { hold: '9', errorCode: 'upstream_error' })
    await world.call(key, { hold: '9', open: true })
    const { caller } = await world.account()
    await world.call(caller, { hold: '150' })
    assert.deepEqual([await percentsOf(key), await percentsOf(caller)], [[], []])
  })

  test('follows the percentages of the key; an empty list writes none', async () => {
    const { key, id, caller } = await limitedKey(100)
    await setKeyAlert(database, caller, id, { threshold_percents: [90, 10] })
    await world.call(key, { hold: '60' })
    assert.deepEqual(await percentsOf(key), [10])
    await setKeyAlert(database, caller, id, { threshold_percents: [] })
    await world.call(key, { hold: '40' })
    assert.deepEqual(await percentsOf(key), [10])
  })

  test('is written again for a raised limit, once per limit', async () => {
    const { key, id, caller } = await limitedKey(100, 'total')
    const setLimit = (cents: number) => updateKey(keys, caller, id, { ceiling_cents: cents })
    const written = async (): Promise<unknown[]> =>
      (await eventsOf(key, 'key.threshold')).map(({ data }) => [
        data['ceiling_micros'],
        data['threshold_percent'],
      ])
    await world.call(key, { hold: '80' })
    const former = [
      [1_000_000, 50],
      [1_000_000, 80],
    ]
    assert.deepEqual(await written(), former)
    await setLimit(110)
    await world.call(key, { hold: '7' })
    await world.call(key, { hold: '1' })
    const raised = [...former, [1_100_000, 80]]
    assert.deepEqual(await written(), raised)
    // The spending is above 80 % of the former limit since before.
    await setLimit(100)
    await world.call(key, { hold: '2' })
    await setLimit(110)
    await world.call(key, { hold: '1' })
    assert.deepEqual(await written(), raised)
    await world.call(key, { hold: '19' })
    assert.deepEqual(await written(), [...raised, [1_100_000, 100]])
  })

  test('matches the crossings of random charges, limits and windows', async () => {
    const { key, id, caller } = await limitedKey(100)
    const step = fc.oneof(
      fc.record({ charge: fc.integer({ min: 1, max: 40 }) }),
      fc.record({ nextDay: fc.constant(true) }),
      fc.record({ limit: fc.constantFrom(60, 100, 110, 150) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        now.advance(DAY_MS)
        await database.query('delete from events')
        const expected: number[] = []
        let spent = 0
        let limit = 0
        const setLimit = async (cents: number): Promise<void> => {
          await updateKey(keys, caller, id, { ceiling_cents: cents })
          limit = cents
        }
        await setLimit(100)
        for (const one of steps) {
          if ('nextDay' in one) {
            now.advance(DAY_MS)
            spent = 0
          } else if ('limit' in one) {
            await setLimit(one.limit)
          } else if (spent + one.charge <= limit) {
            const [before, after] = [spent * 100, (spent + one.charge) * 100]
            expected.push(...[50, 80, 100].filter((t) => before < t * limit && t * limit <= after))
            spent += one.charge
            await world.call(key, { hold: String(one.charge) })
          }
        }
        assert.deepEqual(await percentsOf(key), expected)
      }),
      { numRuns: 25 },
    )
  })
})

describe('balance.low and balance.exhausted', () => {
  const typesOf = async (caller: Caller): Promise<string[]> =>
    (await eventsOf(caller, 'balance.*')).map(({ type }) => type)

  test('are written once per top-up or grant', async () => {
    const { caller } = await world.account()
    await world.call(caller, { hold: '100' })
    assert.deepEqual(await typesOf(caller), [])
    await world.call(caller, { hold: '1' })
    await world.call(caller, { hold: '90' })
    assert.deepEqual(await typesOf(caller), ['balance.low'])
    await world.call(caller, { hold: '8.5' })
    assert.deepEqual(await typesOf(caller), ['balance.low', 'balance.exhausted'])
    await addCredit(caller, 150)
    await world.call(caller, { hold: '150' })
    assert.deepEqual((await typesOf(caller)).slice(2), ['balance.low', 'balance.exhausted'])
  })

  test('an adjustment that returns credit does not repeat balance.low', async () => {
    const { caller } = await world.account()
    await world.call(caller, { hold: '150' })
    await postCredit(database, {
      id: newId(now()),
      walletId: caller.walletId,
      kind: 'refund',
      amount: cents('100'),
      nowMs: now(),
    })
    await world.call(caller, { hold: '100' })
    assert.deepEqual(await typesOf(caller), ['balance.low'])
  })

  test('uses the amount that the account set', async () => {
    const { caller } = await world.account()
    await setBalanceAlert(database, caller, { low_balance_cents: 150 })
    await world.call(caller, { hold: '60' })
    const [event] = await eventsOf(caller, 'balance.low')
    assert.deepEqual(event?.data, {
      sequence: event?.data.sequence,
      balance_micros: 1_400_000,
      held_micros: 0,
      low_balance_micros: 1_500_000,
    })
  })
})

describe('other causes', () => {
  test('a top-up writes topup.succeeded; a grant writes nothing', async () => {
    const { caller } = await world.account()
    await addCredit(caller, 500)
    await addCredit(caller, 300, 'grant')
    const events = await eventsOf(caller)
    assert.deepEqual(
      events.map(({ type, data }) => [type, data['amount_micros'], data['balance_micros']]),
      [['topup.succeeded', 5_000_000, 7_000_000]],
    )
  })

  test('pausing a key writes key.paused once; resuming and revoking write nothing', async () => {
    const { caller, key, id } = await limitedKey(10)
    for (const paused of [true, true, false, true]) await updateKey(keys, caller, id, { paused })
    assert.deepEqual(
      (await eventsOf(key, 'key.paused')).map(({ data }) => data['key_id']),
      [id, id],
    )
  })

  test('the expiry of a key writes key.expired once, after its time', async () => {
    const { key, id } = await limitedKey(10)
    await database.query('update budgets set expires_ms = $2 where id = $1', [
      key.keyId,
      now() + 1_000,
    ])
    for (const wait of [0, 1_000, 5_000]) {
      now.advance(wait)
      await writeExpiries(database, now())
    }
    assert.deepEqual(
      (await eventsOf(key, 'key.expired')).map(({ data }) => data['key_id']),
      [id],
    )
  })

  test('a transaction that is rolled back writes no event', async () => {
    const { caller } = await world.account()
    await database
      .transaction(async (tx) => {
        await postCredit(tx, {
          id: newId(now()),
          walletId: caller.walletId,
          kind: 'topup',
          amount: cents('100'),
          nowMs: now(),
        })
        throw new RangeError('rolled back')
      })
      .catch(() => undefined)
    assert.deepEqual(await eventsOf(caller), [])
  })
})

describe('the stream of an account', () => {
  test('numbers its events without gaps, also when processes write concurrently', async () => {
    const { caller } = await world.account()
    await Promise.all(Array.from({ length: 30 }, () => addCredit(caller, 100)))
    assert.deepEqual(
      (await eventsOf(caller)).map(({ data }) => data.sequence),
      Array.from({ length: 30 }, (_, at) => at + 1),
    )
  })

  test('keeps test and live events, accounts, and keys of scope "own" apart', async () => {
    const { caller, testCaller, key } = await limitedKey(10)
    const stranger = (
      await createAccount({ database, now }, { email: 'x@example.com', tier: 'personal' })
    ).live
    await world.call(key, { hold: '9' })
    const list = async (who: Caller) =>
      (await listEvents(database, who, { after: null, limit: 9, types: [] })).events.map(
        ({ type }) => type,
      )
    assert.deepEqual(await list(caller), ['topup.succeeded', 'key.threshold', 'key.threshold'])
    assert.deepEqual(await list(key), ['key.threshold', 'key.threshold'])
    assert.deepEqual(await list(testCaller), [])
    assert.deepEqual(await list(await world.callerOf(stranger.key)), [])
  })

  test('deletes events after 35 days', async () => {
    const { caller } = await world.account()
    await addCredit(caller, 100)
    now.advance(EVENTS_STORED_MS - 1_000)
    await addCredit(caller, 200)
    now.advance(2_000)
    await deleteOldEvents(database, now())
    assert.deepEqual(
      (await eventsOf(caller)).map(({ data }) => data['amount_micros']),
      [2_000_000],
    )
  })
})
