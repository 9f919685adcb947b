import { DAY_MS, HOUR_MS } from '../../lib/clock.ts'

const [SECOND, MINUTE] = [1_000, 60_000]

/** The wait before each try: 75 h 35 min in all. */
const WAITS_MS = [
  0,
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
] as const
export const MOST_TRIES = WAITS_MS.length

/** A wait is up to a tenth shorter or longer, so that failed deliveries do not return together. */
const JITTER = 0.1
/** Receivers can be wrong. */
export const LONGEST_RETRY_AFTER_MS = DAY_MS

/** The wait after `tries` failed tries, null after the last one. `random` is from 0 to 1. */
export function waitAfter(tries: number, retryAfterMs: number, random: number): number | null {
  const wait = WAITS_MS[tries]
  if (wait === undefined) return null
  return Math.max(Math.round(wait * (1 + JITTER * (2 * random - 1))), retryAfterMs)
}
