import type { LeaseNumber } from '../lib/ids.ts'
import { BEAT_MS, DEAD_AFTER_MS, type SeenLease } from './lease.ts'

/** Judges which leases are dead by what this process itself has seen. */
export type LeaseWatch = {
  /** The leases whose count stood still through enough looks. `startedMs` and `endedMs` are of a monotonic clock. */
  look(leases: readonly SeenLease[], startedMs: number, endedMs: number): readonly SeenLease[]
}

// A look that took longer may show a count of long ago; after a longer gap nobody knows what happened meanwhile.
const SLOWEST_LOOK_MS = 1_000
const LONGEST_GAP_MS = 2 * BEAT_MS

/**
 * Only a run of quick looks without a gap counts. While the database is away or slow, or this process was frozen, a living
 * process may be unable to renew its lease, so the run then begins anew for all leases.
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
