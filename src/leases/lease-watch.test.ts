import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { BEAT_MS, ENDED_WITHIN_MS, type SeenLease } from './lease.ts'
import { createLeaseWatch, type LeaseWatch } from './lease-watch.ts'

const one = (beat: number): SeenLease => ({ number: 'aaaaaa', beat: BigInt(beat) })

/** Looks at an unchanged lease every beat, from `fromMs` on. Returns when it is found dead. */
function deadAt(watch: LeaseWatch, fromMs: number, lease = one(7)): number {
  for (let atMs = fromMs; atMs < fromMs + 60_000; atMs += BEAT_MS)
    if (watch.look([lease], atMs, atMs + 5).length > 0) return atMs
  return Number.POSITIVE_INFINITY
}

describe('a watch over leases', () => {
  it('finds a dead process within 8 s of its last beat, at any time between two looks', () => {
    for (let offsetMs = 0; offsetMs < BEAT_MS; offsetMs += 100) {
      const watch = createLeaseWatch()
      watch.look([one(6)], 0, 5)
      // The last beat follows a look immediately.
      const diedMs = BEAT_MS + offsetMs
      const foundMs = deadAt(watch, 2 * BEAT_MS)
      assert.ok(foundMs - diedMs <= ENDED_WITHIN_MS, `${foundMs - diedMs} ms`)
    }
  })

  it('finds no beating process dead, not even one that misses every second beat', () => {
    const watch = createLeaseWatch()
    for (let look = 0; look < 100; look += 1)
      assert.deepEqual(
        watch.look(
          [one(look), { number: 'bbbbbb', beat: BigInt(look >> 1) }],
          look * BEAT_MS,
          look * BEAT_MS + 5,
        ),
        [],
      )
  })

  it('restarts after a gap in its own looks, such as an outage of the database', () => {
    const watch = createLeaseWatch()
    watch.look([one(7)], 0, 5)
    const backMs = 30_000
    assert.deepEqual(watch.look([one(7)], backMs, backMs + 5), [])
    assert.ok(deadAt(watch, backMs + BEAT_MS) - backMs >= 2 * BEAT_MS)
  })

  it('finds no process dead while its looks are slow', () => {
    const watch = createLeaseWatch()
    for (let look = 0; look < 100; look += 1)
      assert.deepEqual(watch.look([one(7)], look * BEAT_MS, look * BEAT_MS + 1_500), [])
  })

  it('judges each lease separately and forgets deleted ones', () => {
    const watch = createLeaseWatch()
    const other = (beat: number): SeenLease => ({ number: 'bbbbbb', beat: BigInt(beat) })
    for (let look = 0; look < 3; look += 1)
      assert.deepEqual(watch.look([one(7), other(look)], look * BEAT_MS, look * BEAT_MS + 5), [])
    assert.deepEqual(watch.look([one(7), other(3)], 3 * BEAT_MS + 10, 3 * BEAT_MS + 15), [one(7)])
    watch.look([other(4)], 4 * BEAT_MS, 4 * BEAT_MS + 5)
    assert.deepEqual(watch.look([one(7), other(5)], 5 * BEAT_MS, 5 * BEAT_MS + 5), [])
  })
})
