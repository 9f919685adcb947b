import { DAY_MS, HOUR_MS } from '../../lib/clock.ts'
import { windowStart, type Freshness } from '../onesearch/search-request.ts'
import { ANY_TIME, type Period } from './find-pages.ts'

const SPANS: readonly (readonly [Freshness, number])[] = [
  ['day', 1],
  ['week', 7],
  ['month', 30],
  ['year', 365],
]

/** The period that engines apply themselves; any time without one. */
export function periodOf(freshness: Freshness | null, nowMs: number): Period {
  return freshness === null
    ? ANY_TIME
    : { freshness, since: windowStart(freshness, nowMs), until: null, isExact: true }
}

/**
 * The period between two days, each as YYYY-MM-DD or with a time. Engines apply the shortest span
 * that contains it; pages without a date are dropped, because they may be older.
 */
export function periodBetween(
  from: string | undefined,
  to: string | undefined,
  nowMs: number,
): Period {
  if (from === undefined && to === undefined) return ANY_TIME
  const since = from?.slice(0, 10) ?? null
  const ageDays = since === null ? Infinity : (nowMs - Date.parse(since)) / DAY_MS
  return {
    freshness: SPANS.find(([, days]) => ageDays <= days)?.[0] ?? null,
    since,
    until: to?.slice(0, 10) ?? null,
    isExact: false,
  }
}

/** The period of the values of `tbs`, such as "qdr:h". */
export function periodOfTbs(tbs: unknown, nowMs: number): Period {
  if (typeof tbs !== 'string') return ANY_TIME
  const letter = tbs.slice(-1)
  const freshness = TBS[letter]
  if (freshness !== undefined) return periodOf(freshness, nowMs)
  // Engines know no hours.
  const since = new Date(nowMs - HOUR_MS).toISOString()
  return { freshness: 'day', since, until: null, isExact: false }
}

const TBS: Readonly<Record<string, Freshness>> = { d: 'day', w: 'week', m: 'month', y: 'year' }
