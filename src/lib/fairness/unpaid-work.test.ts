import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOUR_MS } from '../clock.ts'
import { createUnpaidWork } from './unpaid-work.ts'

function setUp() {
  let nowMs = 1_000
  const unpaid = createUnpaidWork({ most: 100, now: () => nowMs, what: 'failed renders' })
  return { unpaid, advance: (ms: number) => void (nowMs += ms) }
}

test('refuses an account that used its ration, until an hour has passed, and no other', () => {
  const { unpaid, advance } = setUp()
  unpaid.admit('a')
  unpaid.add('a', 5_000)
  unpaid.admit('b')
  assert.throws(() => unpaid.admit('a'), { code: 'rate_limited', retryAfterSeconds: 3_660 })
  advance(HOUR_MS - 1_500)
  assert.throws(() => unpaid.admit('a'), { code: 'rate_limited', retryAfterSeconds: 62 })
  advance(2_000)
  unpaid.admit('a')
})

test('forgives a ration within an hour, in proportion to the time', () => {
  const { unpaid, advance } = setUp()
  unpaid.add('a', 100)
  assert.equal(unpaid.fits('a', 1), false)
  advance(HOUR_MS / 2)
  assert.deepEqual([unpaid.fits('a', 50), unpaid.fits('a', 51)], [true, false])
})

test('paid work makes up for unpaid work, but cannot be saved up', () => {
  const { unpaid } = setUp()
  unpaid.add('a', -1_000)
  unpaid.add('a', 100)
  assert.throws(() => unpaid.admit('a'), { code: 'rate_limited' })
  unpaid.add('a', -40)
  unpaid.admit('a')
})
