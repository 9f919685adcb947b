import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manualClock } from '../../test/harness/manual-clock.ts'
import type { AppError } from '../errors/app-error.ts'
import { Attempts } from './attempts.ts'
import { MOST_CHALLENGES } from './challenge.ts'
import { PASSKEY_LIMITS } from './passkey-challenge.ts'
import { ROUND_TRIP_LIMITS } from './round-trip.ts'

test('limits challenges from any number of networks', () => {
  for (const limits of [PASSKEY_LIMITS, ROUND_TRIP_LIMITS]) {
    const attempts = new Attempts(limits, manualClock(0))
    const from = (network: number): void =>
      attempts.count({ address: `10.${network >> 16}.${(network >> 8) & 255}.${network & 255}` })
    for (let network = 0; network < MOST_CHALLENGES; network += 1) from(network)
    assert.throws(
      () => from(MOST_CHALLENGES),
      (error: AppError) => error.code === 'rate_limited',
    )
  }
})
