import assert from 'node:assert/strict'
import { it } from 'node:test'
import { Breaker } from './breaker.ts'

function opened(): Breaker {
  const breaker = new Breaker()
  for (let failure = 0; failure < 5; failure += 1) breaker.failed(false, 1_000)
  return breaker
}

it('five failures in a row open it for five seconds, four do not', () => {
  const breaker = new Breaker()
  for (let failure = 0; failure < 4; failure += 1) breaker.failed(false, 1_000)
  assert.equal(breaker.isClosed, true)
  breaker.failed(false, 1_000)
  assert.deepEqual([breaker.isClosed, breaker.restMs(1_000), breaker.restMs(5_999), breaker.restMs(6_000)], [false, 5_000, 1, 0])
})

it('an answer between failures, or a minute without one, ends the run', () => {
  const breaker = new Breaker()
  for (let failure = 0; failure < 12; failure += 1) {
    breaker.failed(false, 1_000)
    if (failure % 4 === 3) breaker.answered(false)
  }
  for (let failure = 0; failure < 12; failure += 1) breaker.failed(false, 2_000 + failure * 60_001)
  assert.equal(breaker.isClosed, true)
})

it('after its rest one call at a time tries', () => {
  const breaker = opened()
  assert.equal(breaker.restMs(6_000), 0)
  breaker.probe()
  assert.ok(breaker.restMs(6_000) > 0)
})

it('a try that is answered closes it, and a new run is needed to open it again', () => {
  const breaker = opened()
  breaker.probe()
  breaker.answered(true)
  for (let failure = 0; failure < 4; failure += 1) breaker.failed(false, 7_000)
  assert.equal(breaker.isClosed, true)
})

it('each try that fails doubles the rest, up to a minute', () => {
  const breaker = opened()
  const rests = [0, 0, 0, 0, 0].map(() => {
    breaker.probe()
    breaker.failed(true, 10_000)
    return breaker.restMs(10_000)
  })
  assert.deepEqual(rests, [10_000, 20_000, 40_000, 60_000, 60_000])
})

it('a try that was given up tells nothing: the next call tries', () => {
  const breaker = opened()
  breaker.probe()
  breaker.undecided(true)
  assert.equal(breaker.restMs(6_000), 0)
})

it('while it is open, only what comes of the try counts', () => {
  const breaker = opened()
  breaker.answered(false)
  breaker.failed(false, 4_000)
  breaker.undecided(false)
  assert.deepEqual([breaker.isClosed, breaker.restMs(4_000)], [false, 2_000])
})
