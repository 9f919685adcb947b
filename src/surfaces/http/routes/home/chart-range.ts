import type { StackDimension } from '../../../../history/read-daily-stack.ts'
import { DAY_MS, parseTime } from '../../../../lib/clock.ts'
import { PERIODS_DAYS } from '../account/spending-page.ts'

const USUAL_DAYS = 30
const MOST_DAYS = 366

/** The part of the spending that the home page shows. Days are counted from 1970-01-01 (UTC). */
export type ChartRange = {
  readonly by: StackDimension
  /** The number of days up to today; null for a chosen range. */
  readonly days: number | null
  readonly firstDay: number
  readonly lastDay: number
}

/** The names of the query; the filter of the history has others. */
export const CHART_FIELDS: readonly string[] = ['by', 'days', 'since', 'until']

/** The range of a query: `days`, or the dates `since` and `until` (inclusive). Unusable values mean the last 30 days. */
export function chartRangeOf(query: unknown, nowMs: number): ChartRange {
  const fields = query as Readonly<Record<string, unknown>>
  const by = fields['by'] === 'key' ? 'key' : 'action'
  const today = Math.floor(nowMs / DAY_MS)
  const [since, until] = [dayOf(fields['since']), dayOf(fields['until'])]
  if (since !== null && until !== null && since <= until && until - since < MOST_DAYS)
    return { by, days: null, firstDay: since, lastDay: until }
  const days = PERIODS_DAYS.find((period) => String(period) === fields['days']) ?? USUAL_DAYS
  return { by, days, firstDay: today - days + 1, lastDay: today }
}

/** The range as Unix milliseconds: inclusive start and exclusive end. */
export function periodOf({ firstDay, lastDay }: ChartRange): { fromMs: number; toMs: number } {
  return { fromMs: firstDay * DAY_MS, toMs: (lastDay + 1) * DAY_MS }
}

function dayOf(text: unknown): number | null {
  if (typeof text !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(text)) return null
  const ms = parseTime(text)
  return ms === null ? null : Math.floor(ms / DAY_MS)
}
