import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld } from '../../test/harness/beds/world.ts'
import { DAY_MS } from '../lib/clock.ts'
import { readDailyStack, sum, type DailyStack } from './read-daily-stack.ts'

const world = await createWorld()
const { database, now } = world
const OLD_DAYS = 20

/** An account with two calls long ago and five today. */
async function openAccount() {
  const { caller } = await world.account()
  const oldDay = Math.floor(now() / DAY_MS)
  for (let count = 0; count < 2; count += 1) await world.call(caller, { hold: '0.01' })
  now.advance(OLD_DAYS * DAY_MS)
  for (let count = 0; count < 5; count += 1) await world.call(caller, { hold: '0.02' })
  const read = (firstDay: number, lastDay: number, lookedThrough: number): Promise<DailyStack> =>
    readDailyStack(
      { database, lookedThrough },
      { walletId: caller.walletId, filter: {}, firstDay, lastDay, by: 'action' },
    )
  return { oldDay, read }
}

test('counts the calls of an older range after any number of newer calls', async () => {
  const { oldDay, read } = await openAccount()
  const stack = await read(oldDay - 1, oldDay + 1, 4)
  assert.deepEqual(
    [stack.calls, stack.groups.map(({ charged }) => sum(charged)), stack.complete],
    [[0, 2, 0], [200], true],
  )
})

test('reports a range as incomplete when it has too many calls, and an empty one as complete', async () => {
  const { oldDay, read } = await openAccount()
  assert.equal((await read(oldDay, oldDay, 2)).complete, false)
  const empty = await read(oldDay + 2, oldDay + 4, 1)
  assert.deepEqual([empty.calls, empty.groups, empty.complete], [[0, 0, 0], [], true])
})

test('reports a range as incomplete when all scanned calls are outside it', async () => {
  const { oldDay, read } = await openAccount()
  // The scan begins a day earlier, for calls that began just before midnight.
  const stack = await read(oldDay + 1, oldDay + 1, 2)
  assert.deepEqual([stack.calls, stack.complete], [[0], false])
})
