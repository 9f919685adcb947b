/** A search in the gateway's own form, and the results of one search service. */
import { DAY_MS } from '../../lib/clock.ts'

export type Topic = 'web' | 'news' | 'papers' | 'code'
export type Freshness = 'day' | 'week' | 'month' | 'year'

export type SearchRequest = {
  readonly query: string
  /** Rows to request from each service. Exceeds the caller's limit, because rows are dropped or merged. */
  readonly count: number
  readonly topic: Topic
  readonly freshness: Freshness | null
  /** First day of the `freshness` window as YYYY-MM-DD. */
  readonly since: string | null
  /** Lower-case hosts, including their subdomains. Empty: all hosts. */
  readonly includeDomains: readonly string[]
  readonly excludeDomains: readonly string[]
  /** Two upper-case letters. */
  readonly country: string | null
}

/** One result of a service. */
export type Hit = {
  readonly url: string
  readonly title: string | null
  readonly snippet: string | null
  /** In the service's own format. */
  readonly published: string | null
  /** The engines behind a metasearch that found the page. They count as sources in its place. */
  readonly engines?: readonly string[]
}

const WINDOW_DAYS: Readonly<Record<Freshness, number>> = { day: 1, week: 7, month: 31, year: 366 }

export function windowStart(freshness: Freshness, nowMs: number): string {
  return new Date(nowMs - WINDOW_DAYS[freshness] * DAY_MS).toISOString().slice(0, 10)
}
