import type { Period } from '../ledger/windows.ts'
import type { Scope } from '../lib/owner.ts'

/** Names that callers may use for a period. */
export const PERIOD_NAMES = ['day', 'week', 'month', 'daily', 'weekly', 'monthly'] as const
export type PeriodName = (typeof PERIOD_NAMES)[number]

const PERIODS: Readonly<Record<PeriodName, Period>> = {
  day: 'day',
  week: 'week',
  month: 'month',
  daily: 'day',
  weekly: 'week',
  monthly: 'month',
}

/** Spend is always counted in some window; without a wish it is the month. */
export const DEFAULT_PERIOD: Period = 'month'

/** Of a new key. */
export const DEFAULT_SCOPE: Scope = 'own'

export function periodOf(name: PeriodName | null): Period {
  return name === null ? DEFAULT_PERIOD : PERIODS[name]
}
