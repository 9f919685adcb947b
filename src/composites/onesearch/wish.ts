/** What a search is asked for, and what one search service brings back. */
import { DAY_MS } from '../../lib/clock.ts'

export type Topic = 'web' | 'news' | 'papers' | 'code'
export type Freshness = 'day' | 'week' | 'month' | 'year'

export type SearchWish = {
  readonly query: string
  /** Rows that the caller wants; services are asked for somewhat more, because some rows are dropped or merged. */
  readonly count: number
  readonly topic: Topic
  readonly freshness: Freshness | null
  /** First day of the window that `freshness` means, as YYYY-MM-DD; null without one. */
  readonly since: string | null
  /** Bare lower-case hosts; their subdomains are meant too. Empty: no rule. */
  readonly includeDomains: readonly string[]
  readonly excludeDomains: readonly string[]
  /** Two upper-case letters. */
  readonly country: string | null
}

/** One result as a service gave it. */
export type Hit = {
  readonly url: string
  readonly title: string | null
  readonly snippet: string | null
  /** As the service wrote it. */
  readonly published: string | null
}

const WINDOW_DAYS: Readonly<Record<Freshness, number>> = { day: 1, week: 7, month: 31, year: 366 }

export function sinceOf(freshness: Freshness, nowMs: number): string {
  return new Date(nowMs - WINDOW_DAYS[freshness] * DAY_MS).toISOString().slice(0, 10)
}
