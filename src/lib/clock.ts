/** Returns Unix milliseconds. Passed to everything time-dependent, so that tests control the time. */
export type Clock = () => number

export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

/**
 * The machine's time at the start of this process plus the time elapsed since. Setting the wall
 * clock while the process runs has no effect. Code that shares a database uses `openDatabaseClock`.
 */
export const systemClock: Clock = () => Math.floor(performance.timeOrigin + performance.now())

/** Whether less than `ms` have passed since. False when the clock was set back, so that nothing waits for it to catch up. */
export function isRecent(sinceMs: number, ms: number, nowMs: number): boolean {
  const passedMs = nowMs - sinceMs
  return passedMs >= 0 && passedMs < ms
}

export function toRfc3339(ms: number): string {
  return new Date(ms).toISOString()
}

const RFC_3339 = /^(\d{4})-(\d\d)-(\d\d)(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/i

/** Parses RFC 3339, or a date alone as its midnight in UTC. Null for anything else, including a day that its month lacks. */
export function parseTime(text: string): number | null {
  const [, year, month, day] = (RFC_3339.exec(text) ?? []).map(Number)
  if (year === undefined || month === undefined || day === undefined) return null
  // Date.parse reads February 30 as March 2.
  const isDay = new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day
  const ms = Date.parse(text)
  return isDay && !Number.isNaN(ms) ? ms : null
}
