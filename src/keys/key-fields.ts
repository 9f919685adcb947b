import type { Period } from '../ledger/windows.ts'
import type { Scope } from '../lib/owner.ts'

/** Period names in requests. */
export const PERIOD_NAMES = ['day', 'week', 'month', 'daily', 'weekly', 'monthly', 'total'] as const
export type PeriodName = (typeof PERIOD_NAMES)[number]

const PERIODS: Readonly<Record<PeriodName, Period>> = {
  day: 'day',
  week: 'week',
  month: 'month',
  daily: 'day',
  weekly: 'week',
  monthly: 'month',
  total: 'total',
}

/** Spending is always counted in some window; the default is a month. */
export const DEFAULT_PERIOD: Period = 'month'

/** The scope of a new key. */
export const DEFAULT_SCOPE: Scope = 'own'

export function periodOf(name: PeriodName | null): Period {
  return name === null ? DEFAULT_PERIOD : PERIODS[name]
}
