import assert from 'node:assert/strict'
import { it } from 'node:test'
import { Breaker } from './breaker.ts'

const call = { isProbe: false, accountId: 'a' }
const probe = { ...call, isProbe: true }
const other = { ...call, accountId: 'b' }
const third = { ...call, accountId: 'c' }

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

it('two accounts that fail in turns shut nobody out but themselves', () => {
  const breaker = new Breaker()
  for (const one of [call, other, call, other, call, other]) breaker.failed(one, 1_000)
  assert.deepEqual(['a', 'b', 'c'].map((account) => breaker.restMs(account, 1_000)), [5_000, 5_000, 0])
  for (let time = 6_000; time < 600_000; time += 60_000) {
    breaker.probe()
    breaker.failed(time % 120_000 > 60_000 ? probe : { ...other, isProbe: true }, time)
    assert.equal(breaker.restMs('c', time), 0)
  }
})

it('a failure of a third account in the same run opens it for all', () => {
  const breaker = opened()
  breaker.failed(other, 2_000)
  breaker.failed(third, 3_000)
  assert.deepEqual(['c', 'd', 'e'].map((account) => breaker.restMs(account, 3_000)), [10_000, 5_000, 5_000])
  const mixed = new Breaker()
  for (const one of [call, other, third, call, other]) mixed.failed(one, 1_000)
  assert.equal(mixed.restMs('d', 1_000), 5_000)
})

it('when it is open for all, the accounts of the run, and those whose try failed, let others try first', () => {
  const breaker = opened()
  for (const one of [other, third]) breaker.failed(one, 2_000)
  assert.deepEqual(['a', 'b', 'c', 'd'].map((account) => breaker.restMs(account, 7_000)), [5_000, 5_000, 5_000, 0])
  assert.equal(breaker.restMs('a', 12_000), 0)
  breaker.probe()
  breaker.failed({ isProbe: true, accountId: 'd' }, 7_000)
  assert.deepEqual(['a', 'd', 'e'].map((account) => breaker.restMs(account, 17_000)), [5_000, 5_000, 0])
})

it('that it was open for one account a minute ago is not held against the first failure of another', () => {
  const breaker = opened()
  breaker.failed(other, 61_001)
  assert.deepEqual([breaker.isClosedFor('b'), breaker.isClosedFor('a')], [true, true])
})
