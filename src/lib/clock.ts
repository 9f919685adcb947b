/** Unix milliseconds. Passed in wherever time matters, so that tests decide what time it is. */
export type Clock = () => number

export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

/**
 * The machine's time at the start of this process, and what has passed since. A wall clock that is set while the process
 * runs changes nothing. Whatever shares a database goes by `openDatabaseClock` instead.
 */
export const systemClock: Clock = () => Math.floor(performance.timeOrigin + performance.now())

/** Whether less than `ms` have passed since. Not when the clock was set back meanwhile: what waits would otherwise wait until it has caught up. */
export function isRecent(sinceMs: number, ms: number, nowMs: number): boolean {
  const passedMs = nowMs - sinceMs
  return passedMs >= 0 && passedMs < ms
}

export function toRfc3339(ms: number): string {
  return new Date(ms).toISOString()
}

const RFC_3339 = /^(\d{4})-(\d\d)-(\d\d)(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/i

/** The moment that a text tells, as RFC 3339 or as a date alone: its midnight, UTC. Null for anything else, and for a day that its month does not have. */
export function parseTime(text: string): number | null {
  const [, year, month, day] = (RFC_3339.exec(text) ?? []).map(Number)
  if (year === undefined || month === undefined || day === undefined) return null
  // Date.parse takes the 30th of February for the 2nd of March.
  const isDay = new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day
  const ms = Date.parse(text)
  return isDay && !Number.isNaN(ms) ? ms : null
}
