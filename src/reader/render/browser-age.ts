import { DAY_MS } from '../../lib/clock.ts'

/** Chromium's stable releases: this one on this day, and one every two weeks from there on (chromiumdash.appspot.com/schedule). */
const KNOWN_MAJOR = 153
const KNOWN_RELEASE_MS = Date.UTC(2026, 8, 8)
const RELEASE_EVERY_MS = 14 * DAY_MS

/** By how many majors the version must be behind Chromium's newest by now, from the calendar alone; 0 when it is not. */
export function majorsBehind(version: string, nowMs: number): number {
  const newest = KNOWN_MAJOR + Math.floor((nowMs - KNOWN_RELEASE_MS) / RELEASE_EVERY_MS)
  return Math.max(0, newest - Number.parseInt(version, 10))
}
