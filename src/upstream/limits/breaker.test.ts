import assert from 'node:assert/strict'
import { it } from 'node:test'
import { Breaker } from './breaker.ts'

const call = { isProbe: false, accountId: 'a' }
const probe = { ...call, isProbe: true }
const other = { ...call, accountId: 'b' }

function opened(): Breaker {
  const breaker = new Breaker()
  for (let failure = 0; failure < 5; failure += 1) breaker.failed(call, 1_000)
  return breaker
}

it('five failures in a row open it for five seconds, four do not', () => {
  const breaker = new Breaker()
  for (let failure = 0; failure < 4; failure += 1) breaker.failed(call, 1_000)
  assert.equal(breaker.isClosedFor('a'), true)
  breaker.failed(call, 1_000)
  assert.deepEqual([breaker.isClosedFor('a'), breaker.restMs('a', 1_000), breaker.restMs('a', 5_999), breaker.restMs('a', 6_000)], [false, 5_000, 1, 0])
})

it('an answer between failures, or a minute without one, ends the run', () => {
  const breaker = new Breaker()
  for (let failure = 0; failure < 12; failure += 1) {
    breaker.failed(call, 1_000)
    if (failure % 4 === 3) breaker.answered(call)
  }
  for (let failure = 0; failure < 12; failure += 1) breaker.failed(call, 2_000 + failure * 60_001)
  assert.equal(breaker.isClosedFor('a'), true)
})

it('after its rest one call at a time tries', () => {
  const breaker = opened()
  assert.equal(breaker.restMs('a', 6_000), 0)
  breaker.probe()
  assert.ok(breaker.restMs('a', 6_000) > 0)
})

it('a try that is answered closes it, and a new run is needed to open it again', () => {
  const breaker = opened()
  breaker.probe()
  breaker.answered(probe)
  for (let failure = 0; failure < 4; failure += 1) breaker.failed(call, 7_000)
  assert.equal(breaker.isClosedFor('a'), true)
})

it('each try that fails doubles the rest, up to a minute', () => {
  const breaker = opened()
  const rests = [0, 0, 0, 0, 0].map(() => {
    breaker.probe()
    breaker.failed(probe, 10_000)
    return breaker.restMs('a', 10_000)
  })
  assert.deepEqual(rests, [10_000, 20_000, 40_000, 60_000, 60_000])
})

it('a try that was given up tells nothing: the next call tries', () => {
  const breaker = opened()
  breaker.probe()
  breaker.undecided(probe)
  assert.equal(breaker.restMs('a', 6_000), 0)
})

it('while it is open, only what comes of the try counts', () => {
  const breaker = opened()
  breaker.answered(call)
  breaker.failed(call, 4_000)
  breaker.undecided(call)
  assert.deepEqual([breaker.isClosedFor('a'), breaker.restMs('a', 4_000)], [false, 2_000])
})

it('failures of one account alone open it for that account; others may ask, and an answer to one of them closes it', () => {
  const breaker = opened()
  assert.deepEqual([breaker.restMs('a', 1_000), breaker.restMs('b', 1_000)], [5_000, 0])
  breaker.answered(other)
  assert.ok(breaker.isSound)
})

it('a failure of a second account in the same run opens it for all', () => {
  const breaker = opened()
  breaker.failed(other, 2_000)
  assert.deepEqual(['b', 'c'].map((account) => breaker.restMs(account, 2_000)), [5_000, 5_000])
  const mixed = new Breaker()
  for (const one of [call, other, call, other, call]) mixed.failed(one, 1_000)
  assert.equal(mixed.restMs('c', 1_000), 5_000)
})

it('when it is open for all, the account that began the run, and then the one whose try failed, lets others try first', () => {
  const breaker = opened()
  breaker.failed(other, 2_000)
  assert.deepEqual([breaker.restMs('a', 7_000), breaker.restMs('b', 7_000), breaker.restMs('a', 12_000)], [5_000, 0, 0])
  breaker.probe()
  breaker.failed({ ...other, isProbe: true }, 7_000)
  assert.deepEqual([breaker.restMs('a', 17_000), breaker.restMs('b', 17_000), breaker.restMs('b', 22_000)], [0, 5_000, 0])
})

it('that it was open for one account a minute ago is not held against the first failure of another', () => {
  const breaker = opened()
  breaker.failed(other, 61_001)
  assert.deepEqual([breaker.isClosedFor('b'), breaker.isClosedFor('a')], [true, true])
})
