import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createWorld, WEDNESDAY } from '../../test/harness/beds/world.ts'
import { AppError } from '../errors/app-error.ts'
import { DAY_MS, toRfc3339 } from '../lib/clock.ts'
import { createKey } from './create-key.ts'
import { describeKey } from './describe-key.ts'
import { listKeys } from './list-keys.ts'
import { updateKey } from './update-key.ts'

const world = await createWorld()

describe('figures', () => {
  test('spent, held and remaining count settled and open calls, to the micro-dollar', async () => {
    const { caller } = await world.account()
    const { key } = await createKey(world.keys, caller, {
      ceiling_cents: 20,
      ceiling_period: 'day',
    })
    const agent = await world.callerOf(key)
    await world.call(agent, { hold: '5', charge: '2.5' })
    await world.call(agent, { hold: '1.0001', open: true })
    const own = await describeKey(world.keys, agent)
    assert.deepEqual(
      [
        own.spent_cents,
        own.spent_micros,
        own.held_cents,
        own.held_micros,
        own.remaining_cents,
        own.remaining_micros,
      ],
      [3, 25_000, 2, 10_001, 16, 164_999],
    )
    assert.deepEqual([own.spendable_cents, own.spendable_micros], [16, 164_999])
    assert.equal(own.last_used_at, '2027-03-17T12:00:00.000Z')
  })

  test('last use is the start of the latest paid call, alone and among others', async () => {
    const { caller } = await world.account()
    await world.call(caller)
    try {
      for (const calls of [1, 4]) {
        world.now.advance(5_000)
        await Promise.all(Array.from({ length: calls }, () => world.call(caller, { open: true })))
        assert.equal((await describeKey(world.keys, caller)).last_used_at, toRfc3339(world.now()))
      }
    } finally {
      world.now.set(WEDNESDAY)
    }
  })

  test('the available balance limits what a key may spend', async () => {
    const { caller } = await world.account()
    const { key } = await createKey(world.keys, caller, { ceiling_cents: 100_000 })
    const agent = await world.callerOf(key)
    assert.deepEqual(
      [
        (await describeKey(world.keys, agent)).spendable_cents,
        (await describeKey(world.keys, caller)).spendable_cents,
      ],
      [200, 200],
    )
  })

  test('a limit below the amount spent leaves zero', async () => {
    const { caller } = await world.account()
    const { id, key } = await createKey(world.keys, caller, { ceiling_cents: 10 })
    await world.call(await world.callerOf(key), { hold: '8' })
    const lowered = await updateKey(world.keys, caller, id, { ceiling_cents: 5 })
    assert.deepEqual(
      [lowered.spent_cents, lowered.remaining_cents, lowered.remaining_micros],
      [8, 0, 0],
    )
  })

  test('a window that the ledger has not reset yet shows no spending', async () => {
    const { caller } = await world.account()
    const { id, key } = await createKey(world.keys, caller, {
      ceiling_cents: 10,
      ceiling_period: 'day',
    })
    await world.call(await world.callerOf(key), { hold: '8' })
    try {
      world.now.set(WEDNESDAY + DAY_MS)
      const tomorrow = await updateKey(world.keys, caller, id, {})
      assert.deepEqual(
        [
          tomorrow.spent_cents,
          tomorrow.remaining_cents,
          tomorrow.window_started_at,
          tomorrow.window_resets_at,
        ],
        [0, 10, '2027-03-18T00:00:00.000Z', '2027-03-19T00:00:00.000Z'],
      )
      const weekly = await updateKey(world.keys, caller, id, { ceiling_period: 'week' })
      assert.deepEqual(
        [weekly.spent_cents, weekly.window_started_at],
        [8, '2027-03-15T00:00:00.000Z'],
      )
    } finally {
      world.now.set(WEDNESDAY)
    }
  })

  test("a clock behind the ledger shows the ledger's window", async () => {
    const { caller } = await world.account()
    const { id, key } = await createKey(world.keys, caller, {
      ceiling_cents: 10,
      ceiling_period: 'day',
    })
    world.now.set(WEDNESDAY + DAY_MS)
    await world.call(await world.callerOf(key), { hold: '8' })
    world.now.set(WEDNESDAY)
    const record = await updateKey(world.keys, caller, id, {})
    assert.deepEqual(
      [record.spent_cents, record.window_started_at, record.window_resets_at],
      [8, '2027-03-18T00:00:00.000Z', '2027-03-19T00:00:00.000Z'],
    )
  })
})

describe('list', () => {
  test('pages contain every key once, newest first, despite concurrent creation', async () => {
    const { caller } = await world.account()
    const ids: string[] = []
    for (let count = 0; count < 9; count += 1)
      ids.unshift((await createKey(world.keys, caller, { label: `k${count}` })).id)
    const seen: string[] = []
    for (let cursor: string | null = null, more = true; more;) {
      const page = await listKeys(world.keys, caller, { limit: 4, cursor })
      seen.push(...page.keys.map(({ id }) => id))
      await createKey(world.keys, caller, { label: 'late' })
      cursor = page.nextCursor
      more = cursor !== null
    }
    assert.deepEqual(
      seen.filter((id) => ids.includes(id)),
      ids,
    )
    assert.equal(new Set(seen).size, seen.length)
    assert.equal(seen.length, 11)
  })

  test('a list shows no secret and no key of another account', async () => {
    const { caller, live, test: testKey } = await world.account()
    await world.account()
    const { keys, nextCursor } = await listKeys(world.keys, caller, { limit: 100, cursor: null })
    assert.deepEqual(
      keys.map(({ id }) => id),
      [testKey.id, live.id],
    )
    assert.ok(keys.every((key) => !('key' in key)))
    assert.equal(nextCursor, null)
  })

  test('rejects a cursor that no list returned', async () => {
    const { caller } = await world.account()
    for (const cursor of ['', 'x', 'a'.repeat(22), '../../etc', 'é'.repeat(22)]) {
      await assert.rejects(
        listKeys(world.keys, caller, { limit: 1, cursor }),
        (error) => error instanceof AppError && error.code === 'invalid_params',
      )
    }
  })
})
