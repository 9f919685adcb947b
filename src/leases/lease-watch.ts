import type { LeaseNumber } from '../lib/ids.ts'
import { BEAT_MS, DEAD_AFTER_MS, type SeenLease } from './lease.ts'

/** Decides which leases are dead, from the observations of this process. */
export type LeaseWatch = {
  /**
   * Returns the leases whose count did not change over enough looks. Times are of a monotonic
   * clock.
   */
  look(leases: readonly SeenLease[], startedMs: number, endedMs: number): readonly SeenLease[]
}

// A slower look may show an old count. A longer gap may hide a change.
const SLOWEST_LOOK_MS = 1_000
const LONGEST_GAP_MS = 2 * BEAT_MS

/**
 * Counts only a run of quick looks without a gap. While the database is away or slow, a living
 * process may be unable to renew its lease. So a slow look or a gap restarts the run for all
 * leases.
 */
export function createLeaseWatch(): LeaseWatch {
  let seen = new Map<LeaseNumber, { readonly beat: bigint; readonly sinceMs: number }>()
  let lastMs = Number.NEGATIVE_INFINITY

  return {
    look(leases, startedMs, endedMs) {
      const isRun = endedMs - startedMs <= SLOWEST_LOOK_MS && startedMs - lastMs <= LONGEST_GAP_MS
      lastMs = endedMs
      const before = isRun ? seen : new Map<LeaseNumber, never>()
      seen = new Map(
        leases.map(({ number, beat }) => {
          const known = before.get(number)
          return [number, known?.beat === beat ? known : { beat, sinceMs: endedMs }]
        }),
      )
      return leases.filter(
        ({ number }) => startedMs - (seen.get(number)?.sinceMs ?? startedMs) >= DEAD_AFTER_MS,
      )
    },
  }
}
