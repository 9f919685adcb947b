import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { manualClock } from '../../../test/harness/manual-clock.ts'
import { fc } from '../../../test/harness/property.ts'
import { CallRing, LOOP_OUTCOMES, MOST_CALLS, type RingCall } from './call-ring.ts'
import { adviceField, createLoopWatch, LAST_STOP, type FinishedCall } from './loop-watch.ts'

const KEY = { keyId: 'a'.repeat(32), breaker: 'warn', limit: null } as const
const OTHER = { ...KEY, keyId: 'b'.repeat(32) } as const
const STOPPED = { ...KEY, breaker: 'stop' } as const
const SEARCH = 'semantic/search'

function openWatch(mostKeys?: number) {
  const clock = manualClock(1_000_000)
  const watch = createLoopWatch(clock, mostKeys)
  const call = (given: Partial<FinishedCall> = {}) => {
    clock.advance(1_000)
    return watch.note({
      key: KEY,
      action: SEARCH,
      outcome: 'ok',
      input: { query: 'a' },
      answer: () => ({ results: [1] }),
      cost: 20_000n,
      ...given,
    })
  }
  const find = (given: Partial<FinishedCall> & { readonly confirm?: string | null } = {}) =>
    watch.find({
      key: STOPPED,
      action: SEARCH,
      input: { query: 'a' },
      confirm: null,
      ...given,
    })
  return { clock, call, watch, find }
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
      text: 'The same call gave the same answer 5 times.',
    })
  })

  test('is the same for parameters in another order, and contains advice for the model', () => {
    const { call } = openWatch()
    const advice = times(5, (place) =>
      call({ input: place % 2 === 0 ? { a: 1, b: { c: 2, d: 3 } } : { b: { d: 3, c: 2 }, a: 1 } }),
    )
    assert.ok(advice[4] != null)
    assert.deepEqual(adviceField(advice[4]), {
      code: 'repeated_call',
      seen: 5,
      since: '1970-01-01T00:16:41.000Z',
      spent_micros: 100_000,
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
    const advice = times(8, (place) => call({ key: place % 2 === 0 ? KEY : OTHER }))
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
  call({ key: OTHER })
  assert.equal(call(), null)
})

describe('a key with the breaker "stop"', () => {
  const repeat = (watch: ReturnType<typeof openWatch>, count = 5): void => {
    times(count, () => watch.call({ key: STOPPED }))
  }

  test('is stopped at the sixth equal call, and not by another call', () => {
    const watch = openWatch()
    for (const _ of times(5, (place) => place)) {
      assert.equal(watch.find(), null)
      watch.call({ key: STOPPED })
    }
    assert.equal(watch.find()?.code, 'repeated_call')
    assert.equal(watch.find({ input: { query: 'b' } }), null)
    assert.equal(watch.find({ action: 'core/onefind' }), null)
    assert.equal(watch.find({ key: KEY }), null)
  })

  test('is stopped at the thirteenth fruitless call of an action, with any parameters', () => {
    const watch = openWatch()
    times(12, (place) =>
      watch.call({ key: STOPPED, outcome: 'empty', cost: 0n, input: { query: place } }),
    )
    assert.equal(watch.find({ input: { query: 'new' } })?.code, 'fruitless_calls')
    assert.equal(watch.find({ action: 'core/onefind' }), null)
  })

  test('is never stopped because vendors fail', () => {
    const watch = openWatch()
    times(64, () => watch.call({ key: STOPPED, outcome: 'outage', cost: 0n }))
    assert.equal(watch.find(), null)
    assert.equal(watch.find({ input: { query: 'new' } }), null)
  })

  test('is stopped for ten minutes, and by a rule that still applies', () => {
    const watch = openWatch()
    repeat(watch)
    watch.clock.advance(9 * 60_000)
    assert.ok(watch.find() !== null)
    watch.clock.advance(2 * 60_000)
    assert.equal(watch.find(), null)
  })

  test('passes once with the token of a stop, which is valid once', () => {
    const watch = openWatch()
    repeat(watch)
    const stop = watch.watch.stop(STOPPED.keyId)
    assert.ok(!stop.isLast)
    assert.ok(watch.find({ confirm: 'a guess' }) !== null)
    assert.equal(watch.find({ confirm: stop.confirm }), null)
    assert.ok(watch.find({ confirm: stop.confirm }) !== null)
    watch.call({ key: STOPPED })
    const second = watch.watch.stop(STOPPED.keyId)
    assert.ok(!second.isLast && second.confirm !== stop.confirm)
  })

  test('is to be paused at the third stop within an hour, and starts with none after that', () => {
    const watch = openWatch()
    const stops = (): readonly boolean[] =>
      times(LAST_STOP, () => watch.watch.stop(STOPPED.keyId).isLast)
    repeat(watch)
    assert.deepEqual(stops(), [false, false, true])
    assert.equal(watch.find(), null)
    repeat(watch)
    assert.ok(watch.find() !== null)
    assert.deepEqual(stops(), [false, false, true])
    assert.deepEqual(
      times(5, () => {
        watch.clock.advance(3_600_001)
        return watch.watch.stop(STOPPED.keyId).isLast
      }),
      times(5, () => false),
    )
  })
})

describe('steep spending', () => {
  const LIMITED = { ...STOPPED, limit: 10_000_000n } as const
  const openSpender = (tens: number, charge = 100_000n) => {
    const watch = openWatch()
    watch.clock.set(600_000 * 1_000)
    for (const _ of times(tens, (place) => place)) {
      watch.watch.spent(LIMITED.keyId, charge)
      watch.clock.advance(600_000)
    }
    return watch
  }
  const check = ({ watch }: ReturnType<typeof openWatch>, key: typeof LIMITED | typeof STOPPED) =>
    watch.find({ key, action: 'llm/core/best', confirm: null })

  test('stops a key above eight times its median and a fifth of its limit, until ten minutes end', () => {
    const watch = openSpender(20)
    watch.watch.spent(LIMITED.keyId, 2_000_000n)
    assert.equal(check(watch, LIMITED), null)
    watch.watch.spent(LIMITED.keyId, 1n)
    const loop = check(watch, LIMITED)
    assert.deepEqual([loop?.code, loop?.spent, loop?.seen], ['steep_spending', 2_000_001n, 2])
    assert.equal(check(watch, STOPPED), null)
    watch.clock.advance(600_000)
    assert.equal(check(watch, LIMITED), null)
  })

  test('does not stop a key that always spends this much, or without two hours of history', () => {
    const steady = openSpender(20, 2_500_000n)
    const fresh = openSpender(11)
    for (const watch of [steady, fresh]) {
      watch.watch.spent(LIMITED.keyId, 9_000_000n)
      assert.equal(check(watch, LIMITED), null)
    }
  })

  test('forgets spending older than a week', () => {
    const watch = openSpender(20)
    watch.clock.advance(7 * 86_400_000)
    watch.watch.spent(LIMITED.keyId, 9_000_000n)
    assert.equal(check(watch, LIMITED), null)
  })

  test('adds advice to the next answer of a key that is only warned', () => {
    const watch = openSpender(20)
    watch.watch.spent(LIMITED.keyId, 5_000_000n)
    const advice = watch.call({ key: { ...LIMITED, breaker: 'warn' } })
    assert.equal(advice?.code, 'steep_spending')
  })
})

test('the ring returns the last 64 calls as they were pushed, newest first', () => {
  const number = fc.integer({ min: 0, max: 0xffffffff })
  const call: fc.Arbitrary<RingCall> = fc.record(
    {
      action: number,
      request: number,
      answer: number,
      outcome: fc.constantFrom(...LOOP_OUTCOMES),
      cost: fc.integer({ min: 0, max: 1e12 }),
      atMs: fc.integer({ min: 0, max: 4e12 }),
    },
    { noNullPrototype: true },
  )
  fc.assert(
    fc.property(fc.array(call, { maxLength: 150 }), (calls) => {
      const ring = new CallRing()
      for (const one of calls) ring.push(one)
      const expected = calls.slice(-MOST_CALLS).toReversed()
      assert.deepEqual(
        times(ring.size, (back) => ring.at(back)),
        expected,
      )
      for (const [back, { request, action }] of expected.entries()) {
        assert.ok(ring.findRequest(request) <= back)
        assert.equal(ring.findAction(action, back), back)
      }
    }),
  )
})
