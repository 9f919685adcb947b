import type { Id } from '../lib/ids.ts'

/** What the processes of an installation last agreed on. */
export type SharedClock = {
  /** By how much the time of the installation is ahead of the clock of the database. */
  readonly aheadMs: number
  /** When a process last looked, by the clock of the database. */
  readonly beatMs: number
  readonly writer: Id
}

export type Look = {
  readonly self: Id
  /** By how much this process's time is ahead of the clock of the database, give or take `uncertainMs`. */
  readonly aheadMs: number
  readonly uncertainMs: number
  readonly databaseMs: number
  /** Null when no process has looked since the database was made or crashed. */
  readonly shared: SharedClock | null
}

export type Agreement = {
  /** For all processes from now on. */
  readonly aheadMs: number
  /** What this process's own time moves by. */
  readonly correctionMs: number
  /** This process is far ahead of the others, which no fault explains. It goes on by its own time. */
  readonly isAstray: boolean
}

export const LOOK_EVERY_MS = 5_000
/** A difference of more than this between the database's clock and the processes is a jump, which running processes do not follow. */
export const MOST_FOLLOWED_MS = 600_000
// Of running processes somebody looks every five seconds.
const FRESH_MS = 3 * LOOK_EVERY_MS
const CLOCKS_OF_LOOKS_DIFFER_MS = 1_000
// Clocks that are in step differ by less between two looks.
const STEP_MS = 2_000
// Standing still for longer would stop leases, rate limits and time-outs.
const LONGEST_STANDSTILL_MS = 60_000
// A twentieth of the time between looks: a minute is made up for in twenty.
const MOST_CORRECTED_MS = LOOK_EVERY_MS / 20
const FOLLOWED_SHARE = 0.04

export function isFresh({ beatMs }: SharedClock, databaseMs: number): boolean {
  const ageMs = databaseMs - beatMs
  return ageMs >= -CLOCKS_OF_LOOKS_DIFFER_MS && ageMs <= FRESH_MS
}

/**
 * Whose clock moved, when this process and the shared time differ: that of the database, or this process's own, because its
 * machine was paused? Another process that has looked since, and found the shared time right, decides. Alone, a process
 * trusts its own monotonic clock. See docs/decisions/0115-time-that-cannot-be-set.md.
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
    aheadMs: followed(shared, databaseMs),
    correctionMs: Math.max(-MOST_CORRECTED_MS, Math.min(MOST_CORRECTED_MS, certainMs)),
    isAstray: false,
  }
}

/** The shared time approaches the clock of the database, unless that has jumped. */
function followed({ aheadMs, beatMs }: SharedClock, databaseMs: number): number {
  if (Math.abs(aheadMs) > MOST_FOLLOWED_MS) return aheadMs
  const passedMs = Math.max(0, Math.min(LOOK_EVERY_MS, databaseMs - beatMs))
  return Math.sign(aheadMs) * Math.max(0, Math.abs(aheadMs) - passedMs * FOLLOWED_SHARE)
}
