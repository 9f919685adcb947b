import { DAY_MS, toRfc3339 } from '../lib/clock.ts'

/** Spend windows in UTC that reset: at 00:00, on ISO Monday and on the first of the month. */
export type ResettingPeriod = 'day' | 'week' | 'month'
/** The period of a limit. "total": it never resets. */
export type Period = ResettingPeriod | 'total'

// 1970-01-01 was a Thursday: three days after a Monday.
const DAYS_SINCE_MONDAY_AT_EPOCH = 3

/** Window starts as days since 1970-01-01, as the database stores them. */
export type WindowStarts = {
  readonly today: number
  readonly thisWeek: number
  readonly thisMonth: number
}

let cached: WindowStarts = { today: -1, thisWeek: -1, thisMonth: -1 }

export function windowStarts(nowMs: number): WindowStarts {
  const today = Math.floor(nowMs / DAY_MS)
  if (cached.today === today) return cached
  const date = new Date(nowMs)
  cached = {
    today,
    thisWeek: today - ((today + DAYS_SINCE_MONDAY_AT_EPOCH) % 7),
    thisMonth: Math.floor(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1) / DAY_MS),
  }
  return cached
}

export function windowStartMs(period: ResettingPeriod, nowMs: number): number {
  const { today, thisWeek, thisMonth } = windowStarts(nowMs)
  return (period === 'day' ? today : period === 'week' ? thisWeek : thisMonth) * DAY_MS
}

export function windowResetMs(period: ResettingPeriod, nowMs: number): number {
  const startMs = windowStartMs(period, nowMs)
  if (period === 'day') return startMs + DAY_MS
  if (period === 'week') return startMs + 7 * DAY_MS
  const start = new Date(startMs)
  return Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1)
}

/** When the window of a limit ends, in RFC 3339. Null for a limit that never resets. */
export function windowResetsAt(period: Period, nowMs: number): string | null {
  return period === 'total' ? null : toRfc3339(windowResetMs(period, nowMs))
}
