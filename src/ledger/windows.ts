import { DAY_MS } from '../lib/clock.ts'

/** Spend windows in UTC. They start at 00:00, on ISO Monday and on the first of the month. */
export type Period = 'day' | 'week' | 'month'

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

export function windowStartMs(period: Period, nowMs: number): number {
  const { today, thisWeek, thisMonth } = windowStarts(nowMs)
  return (period === 'day' ? today : period === 'week' ? thisWeek : thisMonth) * DAY_MS
}

export function windowResetMs(period: Period, nowMs: number): number {
  const startMs = windowStartMs(period, nowMs)
  if (period === 'day') return startMs + DAY_MS
  if (period === 'week') return startMs + 7 * DAY_MS
  const start = new Date(startMs)
  return Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1)
}
