import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENDED_WITHIN_MS } from '../../leases/lease.ts'
import { retryAfterRunning } from './retry-after.ts'

test('retries a running call after a quarter of its age, between 1 and 10 s', () => {
  for (const [ageMs, seconds] of [
    [0, 1],
    [3_000, 1],
    [20_000, 5],
    [90_000, 10],
    [-5_000, 1],
  ] as const) {
    assert.deepEqual(retryAfterRunning({ ageMs, silentMs: 100 }), { isSilent: false, seconds })
    assert.deepEqual(retryAfterRunning({ ageMs, silentMs: null }), { isSilent: false, seconds })
  }
})

test('retries the call of a silent process when its key is released', () => {
  assert.deepEqual(retryAfterRunning({ ageMs: 300_000, silentMs: 5_000 }), {
    isSilent: true,
    seconds: Math.ceil((ENDED_WITHIN_MS - 5_000) / 1000),
  })
  assert.deepEqual(retryAfterRunning({ ageMs: 300_000, silentMs: 60_000 }), {
    isSilent: true,
    seconds: 1,
  })
})
