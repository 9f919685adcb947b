import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { manualClock } from '../../../test/harness/manual-clock.ts'
import { createLoopWatch, type FinishedCall } from './loop-watch.ts'

const KEY = 'a'.repeat(32)
const SEARCH = 'semantic/search'

function openWatch(mostKeys?: number) {
  const clock = manualClock(1_000_000)
  const watch = createLoopWatch(clock, mostKeys)
  const call = (given: Partial<FinishedCall> = {}) => {
    clock.advance(1_000)
    return watch.note({
      keyId: KEY,
      action: SEARCH,
      outcome: 'ok',
      input: { query: 'a' },
      answer: () => ({ results: [1] }),
      cost: 20_000n,
      ...given,
    })
  }
  return { clock, call }
}
const times = <Result>(count: number, work: (place: number) => Result): Result[] =>
  Array.from({ length: count }, (_, place) => work(place))

describe('advice about repeated calls', () => {
  test('comes with the fifth equal call and names what the repetition cost', () => {
    const { call } = openWatch()
    const advice = times(5, () => call())
    assert.deepEqual(advice.slice(0, 4), [null, null, null, null])
    assert.deepEqual(advice[4], {
      code: 'repeated_call',
      seen: 5,
      sinceMs: 1_001_000,
      spent: 100_000n,
      text: 'The same call gave the same answer 5 times. Use that answer, or change the call.',
    })
  })

  test('comes once a minute', () => {
    const { call, clock } = openWatch()
    times(5, () => call())
    assert.deepEqual(times(50, () => call()).filter(Boolean), [])
    clock.advance(60_000)
    assert.equal(call()?.code, 'repeated_call')
  })

  test('finds two calls that alternate', () => {
    const { call } = openWatch()
    const advice = times(10, (place) => call({ input: { query: place % 2 === 0 ? 'a' : 'b' } }))
    assert.equal(advice.find(Boolean)?.code, 'repeated_call')
  })

  test('ignores fields that differ in every answer of a vendor', () => {
    const { call } = openWatch()
    const advice = times(5, (place) => call({ answer: () => ({ requestId: place, results: [1] }) }))
    assert.equal(advice[4]?.code, 'repeated_call')
  })

  test('is not given for other requests, changing answers or a call every three minutes', () => {
    const requests = openWatch()
    const answers = openWatch()
    const monitor = openWatch()
    for (const place of times(40, (at) => at)) {
      assert.equal(requests.call({ input: { query: place } }), null)
      assert.equal(answers.call({ answer: () => ({ results: [place] }) }), null)
      monitor.clock.advance(180_000)
      assert.equal(monitor.call(), null)
    }
  })

  test('does not mix the calls of two keys', () => {
    const { call } = openWatch()
    const advice = times(8, (place) => call({ keyId: place % 2 === 0 ? KEY : 'b'.repeat(32) }))
    assert.deepEqual(advice.filter(Boolean), [])
  })
})

describe('advice about fruitless calls', () => {
  test('comes with the twelfth call in a row that finds nothing, with any parameters', () => {
    const { call } = openWatch()
    const advice = times(12, (place) =>
      call({ outcome: place % 3 === 0 ? 'failed' : 'empty', input: { query: place }, cost: 0n }),
    )
    assert.deepEqual(advice.slice(0, 11).filter(Boolean), [])
    assert.deepEqual([advice[11]?.code, advice[11]?.seen], ['fruitless_calls', 12])
  })

  test('is not given if one of them found something, or for other actions', () => {
    const { call } = openWatch()
    const advice = times(30, (place) =>
      call({
        outcome: place % 11 === 0 ? 'ok' : 'empty',
        input: { query: place },
        ...(place % 2 === 0 ? {} : { action: 'core/onefind' }),
      }),
    )
    assert.deepEqual(advice.filter(Boolean), [])
  })
})

test('forgets the least recently used key beyond its maximum', () => {
  const { call } = openWatch(1)
  times(4, () => call())
  call({ keyId: 'b'.repeat(32) })
  assert.equal(call(), null)
})
