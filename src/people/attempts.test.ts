import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AppError } from '../errors/app-error.ts'
import { manualClock } from '../lib/clock.ts'
import { Attempts } from './attempts.ts'
import { networkOf } from './network-address.ts'

const limits = { each: 2, forEmail: 100, fromAddress: 3, windowMs: 60_000 }
const isLimited = (error: AppError): boolean => error.code === 'rate_limited'

test('whoever takes another address of their IPv6 network for each attempt is counted as one', () => {
  const attempts = new Attempts(limits, manualClock(0))
  for (const last of ['1', '2', 'ffff:1:3']) attempts.count({ address: `2001:db8:1:2::${last}`, email: `${last}@example.com` })
  assert.throws(() => attempts.count({ address: '2001:db8:1:2:aaaa::4', email: 'new@example.com' }), isLimited)
  attempts.count({ address: '2001:db8:1:3::1', email: 'new@example.com' })
})

test('addresses of IPv4 are counted each for itself, however they are written', () => {
  assert.deepEqual(['192.0.2.1', '::ffff:192.0.2.1', '::ffff:192.0.2.2'].map(networkOf), ['192.0.2.1', '192.0.2.1', '192.0.2.2'])
})

test('what is remembered of an attempt has a bounded length, whatever was typed or sent for an address', () => {
  const attempts = new Attempts(limits, manualClock(0))
  const long = `${'x'.repeat(4_000)}@example.com`
  for (let count = 0; count < limits.each; count += 1) attempts.count({ address: 'unknown', email: long })
  assert.throws(() => attempts.count({ address: 'unknown', email: `${long}.other` }), isLimited)
  assert.deepEqual(['', 'unknown', 'y'.repeat(10_000)].map(networkOf), ['unknown', 'unknown', 'unknown'])
})
