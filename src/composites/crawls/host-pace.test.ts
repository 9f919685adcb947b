import assert from 'node:assert/strict'
import { it } from 'node:test'
import { manualClock } from '../../../test/harness/manual-clock.ts'
import { createHostPace } from './host-pace.ts'

it('spaces the requests to a host, and only those', async () => {
  const waits: number[] = []
  const pace = createHostPace({
    now: manualClock(1_000),
    pause: async (ms) => void waits.push(ms),
    spacingMs: 500,
  })
  const { signal } = new AbortController()
  for (const host of ['a.example', 'a.example', 'b.example', 'a.example']) await pace(host, signal)
  assert.deepEqual(waits, [500, 1_000])
})
