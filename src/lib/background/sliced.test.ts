import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manualClock } from '../../../test/harness/manual-clock.ts'
import { createSliced, runWhole, type Steps } from './sliced.ts'

/** Ten steps of one millisecond each. */
function bed() {
  const clock = manualClock(0)
  const turns: number[] = []
  const starts: number[] = []
  function* count(): Steps<number> {
    starts.push(clock())
    for (let step = 0; step < 10; step += 1) {
      clock.advance(1)
      yield
    }
    return 10
  }
  const sliced = createSliced(count, {
    now: clock,
    next: async () => void turns.push(clock()),
  })
  return { sliced, turns, starts }
}

test('yields to the event loop every four milliseconds', async () => {
  const { sliced, turns } = bed()
  assert.equal(await sliced.inSlices(), 10)
  assert.deepEqual(turns, [0, 4, 8, 10])
})

test('shares one computation between all callers', async () => {
  const { sliced, starts } = bed()
  assert.deepEqual(await Promise.all([sliced.inSlices(), sliced.inSlices()]), [10, 10])
  assert.equal(sliced.whole(), 10)
  assert.equal(starts.length, 1)
})

test('completes without a pause what a background computation has begun', async () => {
  const { sliced, turns, starts } = bed()
  const later = sliced.inSlices()
  assert.equal(sliced.whole(), 10)
  assert.equal(await later, 10)
  assert.deepEqual([starts.length, turns.length], [1, 1])
})

test('throws the error of a computation to every caller', async () => {
  const sliced = createSliced(
    // oxlint-disable-next-line require-yield
    function* (): Steps<never> {
      throw new RangeError('broken')
    },
    { now: () => 0, next: async () => {} },
  )
  await assert.rejects(sliced.inSlices(), /broken/)
  await assert.rejects(sliced.inSlices(), /broken/)
  assert.throws(() => sliced.whole(), /broken/)
})

test('runs a computation without a pause', () => {
  assert.equal(
    runWhole(
      (function* () {
        yield
        return 1
      })(),
    ),
    1,
  )
})
