import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manualClock } from '../../test/harness/manual-clock.ts'
import type { AppError } from '../errors/app-error.ts'
import { Attempts, SIGN_IN_LIMITS, type Attempt } from './attempts.ts'
import { networkOf } from '../lib/fairness/network-address.ts'

const limits = { each: 2, forEmail: 100, fromAddress: 3, windowMs: 60_000 }
const isLimited = (error: AppError): boolean => error.code === 'rate_limited'

test('counts all addresses of an IPv6 network as one', () => {
  const attempts = new Attempts(limits, manualClock(0))
  for (const last of ['1', '2', 'ffff:1:3'])
    attempts.count({ address: `2001:db8:1:2::${last}`, email: `${last}@example.com` })
  assert.throws(
    () => attempts.count({ address: '2001:db8:1:2:aaaa::4', email: 'new@example.com' }),
    isLimited,
  )
  attempts.count({ address: '2001:db8:1:3::1', email: 'new@example.com' })
})

test('allows 100 attempts per network and 100 per email address in 15 minutes', () => {
  const clock = manualClock(0)
  const attempts = new Attempts(SIGN_IN_LIMITS, clock)
  const [from, whom] = [(last: number) => `192.0.2.${last}`, (one: number) => `p${one}@example.com`]
  for (let one = 0; one < 100; one += 1) attempts.count({ address: from(200), email: whom(one) })
  assert.throws(() => attempts.count({ address: from(200), email: whom(100) }), isLimited)
  for (let last = 0; last < 100; last += 1)
    attempts.count({ address: from(last), email: whom(200) })
  assert.throws(
    () => attempts.count({ address: from(100), email: whom(200).toUpperCase() }),
    (error: AppError) => isLimited(error) && error.retryAfterSeconds === 900,
  )
  clock.advance(15 * 60_000)
  attempts.count({ address: from(200), email: whom(200) })
})

test('a success resets the count of its own email address only', () => {
  const attempts = new Attempts({ ...limits, fromAddress: 100 }, manualClock(0))
  const [own, other] = ['own@example.com', 'other@example.com'].map((email) => ({
    address: '192.0.2.1',
    email,
  })) as [Required<Attempt>, Required<Attempt>]
  for (let count = 0; count < limits.each; count += 1)
    for (const one of [own, other]) attempts.count(one)
  attempts.forgive(own)
  attempts.count(own)
  assert.throws(() => attempts.count(other), isLimited)
})

test('counts each IPv4 address separately, in every notation', () => {
  assert.deepEqual(['192.0.2.1', '::ffff:192.0.2.1', '::ffff:192.0.2.2'].map(networkOf), [
    '192.0.2.1',
    '192.0.2.1',
    '192.0.2.2',
  ])
})

test('ignores the port that a proxy adds to an address', () => {
  assert.deepEqual(
    ['192.0.2.1:40000', '192.0.2.2:40000', '[2001:db8:1:2::3]:40000'].map(networkOf),
    ['192.0.2.1', '192.0.2.2', networkOf('2001:db8:1:2::4')],
  )
  assert.deepEqual(['192.0.2.1:', '192.0.2:1:1', '[nonsense]:1', '999.0.0.1:1'].map(networkOf), [
    'unknown',
    'unknown',
    'unknown',
    'unknown',
  ])
})

test('counts all spellings of one mailbox together', () => {
  const attempts = new Attempts(limits, manualClock(0))
  const ways = ['jo@exämple.com', ' JO@XN--EXMPLE-CUA.com', 'jo@ｅxämple.com']
  for (const email of ways.slice(0, limits.each)) attempts.count({ address: '192.0.2.1', email })
  assert.throws(() => attempts.count({ address: '192.0.2.1', email: ways[2] ?? '' }), isLimited)
})

test('stores a bounded number of characters for any typed address', () => {
  const attempts = new Attempts(limits, manualClock(0))
  const long = `${'x'.repeat(4_000)}@example.com`
  for (let count = 0; count < limits.each; count += 1)
    attempts.count({ address: 'unknown', email: long })
  assert.throws(() => attempts.count({ address: 'unknown', email: `${long}.other` }), isLimited)
  assert.deepEqual(['', 'unknown', 'y'.repeat(10_000)].map(networkOf), [
    'unknown',
    'unknown',
    'unknown',
  ])
})
