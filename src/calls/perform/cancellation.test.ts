import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Cancellation } from './cancellation.ts'

const cancelled = { code: 'call_cancelled' }

test('ends a call that is cancelled before its first vendor request', () => {
  const caller = new AbortController()
  const cancellation = new Cancellation(caller.signal)
  cancellation.check()
  caller.abort()
  assert.throws(() => cancellation.check(), cancelled)
  assert.throws(() => cancellation.begin(), cancelled)
})

test('lets a call continue once its first vendor request has begun', () => {
  const caller = new AbortController()
  const cancellation = new Cancellation(caller.signal)
  cancellation.begin()
  caller.abort()
  assert.doesNotThrow(() => cancellation.check())
  assert.doesNotThrow(() => cancellation.begin())
})
