import type { Id } from '../lib/ids.ts'

/** The last agreement of the processes of an installation. */
export type SharedClock = {
  /** The lead of the installation's time over the database's clock. */
  readonly aheadMs: number
  /** The last look of a process, by the database's clock. */
  readonly beatMs: number
  readonly writer: Id
}

export type Look = {
  readonly self: Id
  /** The lead of this process's time over the database's clock, plus or minus `uncertainMs`. */
  readonly aheadMs: number
  readonly uncertainMs: number
  readonly databaseMs: number
  /** Null if no process has looked since the database was created or crashed. */
  readonly shared: SharedClock | null
}

export type Agreement = {
  /** The new agreement for all processes. */
  readonly aheadMs: number
  /** The change of this process's time. */
  readonly correctionMs: number
  /** This process is far ahead of the others for no known reason. It keeps its own time. */
  readonly isAstray: boolean
}

export const LOOK_EVERY_MS = 5_000
/**
 * A larger difference between the database's clock and the processes is a jump. Running processes
 * do not follow it.
 */
export const MOST_FOLLOWED_MS = 600_000
// While processes run, one of them looks every five seconds.
const FRESH_MS = 3 * LOOK_EVERY_MS
const CLOCKS_OF_LOOKS_DIFFER_MS = 1_000
// Synchronized clocks differ by less between two looks.
const STEP_MS = 2_000
// A longer standstill would stop leases, rate limits and timeouts.
const LONGEST_STANDSTILL_MS = 60_000
// A twentieth of the time between looks: a minute is corrected in twenty minutes.
const MOST_CORRECTED_MS = LOOK_EVERY_MS / 20
const FOLLOWED_SHARE = 0.04

export function isFresh({ beatMs }: SharedClock, databaseMs: number): boolean {
  const ageMs = databaseMs - beatMs
  return ageMs >= -CLOCKS_OF_LOOKS_DIFFER_MS && ageMs <= FRESH_MS
}

/**
 * Decides which clock moved when this process and the shared time differ: the database's, or this
 * process's own because its machine was paused. A recent look of another process decides. Alone, a
 * process trusts its monotonic clock. See docs/decisions/0115-time-that-cannot-be-set.md.
 */
export function agreeOnTime({ self, aheadMs, uncertainMs, databaseMs, shared }: Look): Agreement {
  if (shared === null) return { aheadMs, correctionMs: 0, isAstray: false }
  const missingMs = shared.aheadMs - aheadMs
  if (Math.abs(missingMs) > STEP_MS + uncertainMs) {
    const othersDecide = shared.writer !== self && isFresh(shared, databaseMs)
    if (!othersDecide) return { aheadMs, correctionMs: 0, isAstray: false }
    const isAstray = missingMs < -LONGEST_STANDSTILL_MS
    return { aheadMs: shared.aheadMs, correctionMs: isAstray ? 0 : missingMs, isAstray }
  }
  const certainMs = Math.sign(missingMs) * Math.max(0, Math.abs(missingMs) - uncertainMs)
  return {
    aheadMs: approachDatabaseClock(shared, databaseMs),
    correctionMs: Math.max(-MOST_CORRECTED_MS, Math.min(MOST_CORRECTED_MS, certainMs)),
    isAstray: false,
  }
}

/** The shared time approaches the database's clock, unless that has jumped. */
function approachDatabaseClock({ aheadMs, beatMs }: SharedClock, databaseMs: number): number {
  if (Math.abs(aheadMs) > MOST_FOLLOWED_MS) return aheadMs
  const passedMs = Math.max(0, Math.min(LOOK_EVERY_MS, databaseMs - beatMs))
  return Math.sign(aheadMs) * Math.max(0, Math.abs(aheadMs) - passedMs * FOLLOWED_SHARE)
}
