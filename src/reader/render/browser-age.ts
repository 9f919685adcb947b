import { DAY_MS } from '../../lib/clock.ts'

/**
 * A known stable release of Chromium. A new major follows every two weeks
 * (chromiumdash.appspot.com/schedule).
 */
const KNOWN_MAJOR = 153
const KNOWN_RELEASE_MS = Date.UTC(2026, 8, 8)
/** A browser further behind has vulnerabilities that attackers know. */
export const MOST_MAJORS_BEHIND = 1
const RELEASE_EVERY_MS = 14 * DAY_MS

/**
 * Number of majors that `version` must be behind Chromium's newest, computed from the calendar
 * only; 0 if current.
 */
export function majorsBehind(version: string, nowMs: number): number {
  const newest = KNOWN_MAJOR + Math.floor((nowMs - KNOWN_RELEASE_MS) / RELEASE_EVERY_MS)
  return Math.max(0, newest - Number.parseInt(version, 10))
}
