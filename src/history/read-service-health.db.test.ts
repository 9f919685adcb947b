import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld } from '../../test/harness/beds/world.ts'
import { LEAST_CALLS, readServiceHealth } from './read-service-health.ts'

const HOUR_MS = 3_600_000
const world = await createWorld()
const callers = await Promise.all([1, 2, 3].map(async () => (await world.account()).caller))
const health = () => readServiceHealth(world.database, world.now())

/** Calls of all accounts, alternately. */
async function callMany(count: number, facts: Parameters<typeof world.call>[1] = {}) {
  for (let at = 0; at < count; at += 1) {
    const caller = callers[at % callers.length] ?? assert.fail()
    await world.call(caller, { hold: '1', latencyMs: 100 + at, ...facts })
  }
}

test('shows shares and times of periods with enough calls of enough accounts', async () => {
  await callMany(15, { service: 'semantic' })
  await callMany(5, { service: 'semantic', charge: '0', errorCode: 'upstream_error' })
  await callMany(4, { service: 'semantic', charge: '0', errorCode: 'no_results' })
  await callMany(9, { service: 'semantic', charge: '0', errorCode: 'invalid_params' })
  const { hour, day, month } = await health()
  assert.deepEqual(hour.get('semantic'), {
    calls: 24,
    succeeded: 19 / 24,
    medianMs: 105,
    p95Ms: 114,
  })
  assert.deepEqual(
    [day.get('semantic'), month.get('semantic')],
    Array(2).fill(hour.get('semantic')),
  )
})

test('counts a call only in the periods that contain it', async () => {
  world.now.advance(2 * HOUR_MS)
  const { hour, day } = await health()
  assert.deepEqual([hour.get('semantic'), day.get('semantic')?.calls], [undefined, 24])
  world.now.advance(40 * 24 * HOUR_MS)
  assert.equal((await health()).month.get('semantic'), undefined)
})

test('shows nothing of a service with few calls or few accounts', async () => {
  await callMany(LEAST_CALLS - 1, { service: 'indep' })
  const [first] = callers
  for (let at = 0; at < LEAST_CALLS + 5; at += 1)
    await world.call(first ?? assert.fail(), { hold: '1', service: 'rag' })
  const { hour } = await health()
  assert.deepEqual([hour.get('indep'), hour.get('rag')], [undefined, undefined])
  await callMany(1, { service: 'indep' })
  assert.equal((await health()).hour.get('indep')?.calls, LEAST_CALLS)
})

test('reads no simulated calls', async () => {
  for (let at = 0; at < 3; at += 1) {
    const { testCaller } = await world.account()
    for (let count = 0; count < 10; count += 1)
      await world.call(testCaller, { hold: '1', service: 'platform' })
  }
  assert.equal((await health()).hour.get('platform'), undefined)
})
