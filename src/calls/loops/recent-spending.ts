import { formatDollars, type Micros } from '../../lib/money.ts'
import type { Loop } from './loop-rules.ts'

const BUCKET_MS = 600_000
const WEEK_BUCKETS = 1_008
// At most 64 active buckets of ten minutes, and at least two hours of them before the rule applies.
const MOST_BUCKETS = 64
const FEWEST_BUCKETS = 12
const STEEP_FACTOR = 8
/** The rule ignores spending below this part of the limit: one fifth. */
const PART_OF_LIMIT = 5

/** The spending of a key in each ten minutes of the clock, over the last week. */
export class RecentSpending {
  // Bucket numbers and sums, one after the other. The newest is last.
  readonly #buckets: number[] = []
  #seen = 0
  #median: number | null = null

  /** Adds a charge in micro-dollars. */
  add(charge: number, nowMs: number): void {
    const bucket = Math.floor(nowMs / BUCKET_MS)
    if (this.#buckets.at(-2) !== bucket) {
      this.#buckets.push(bucket, 0)
      if (this.#buckets.length > 2 * MOST_BUCKETS) this.#buckets.splice(0, 2)
      this.#seen = 0
      this.#median = null
    }
    this.#buckets[this.#buckets.length - 1] = (this.#buckets.at(-1) ?? 0) + charge
    this.#seen += 1
  }

  /**
   * The current ten minutes cost more than eight times the median ten minutes of the last week, and
   * more than a fifth of the limit. Null otherwise, without a limit, and without two hours of history.
   */
  findSteep(limit: Micros | null, nowMs: number): Loop | null {
    const bucket = Math.floor(nowMs / BUCKET_MS)
    const spent = this.#buckets.at(-1) ?? 0
    if (limit === null || this.#buckets.at(-2) !== bucket) return null
    if (spent * PART_OF_LIMIT <= Number(limit)) return null
    const median = (this.#median ??= this.#findMedian(bucket))
    if (spent <= STEEP_FACTOR * median) return null
    return {
      code: 'steep_spending',
      seen: this.#seen,
      sinceMs: bucket * BUCKET_MS,
      spent: BigInt(spent),
      text: `This key spent ${formatDollars(BigInt(spent))} in the current ten minutes; its median is ${formatDollars(BigInt(Math.round(median)))}.`,
    }
  }

  /** The median of the earlier buckets of a week; infinite if there are too few. */
  #findMedian(current: number): number {
    const sums = this.#buckets
      .filter((_, place) => {
        const bucket = this.#buckets[place - 1] ?? 0
        return place % 2 === 1 && bucket < current && bucket >= current - WEEK_BUCKETS
      })
      .toSorted((one, other) => one - other)
    if (sums.length < FEWEST_BUCKETS) return Infinity
    const middle = sums.length >> 1
    return sums.length % 2 === 1
      ? (sums[middle] ?? 0)
      : ((sums[middle - 1] ?? 0) + (sums[middle] ?? 0)) / 2
  }
}
