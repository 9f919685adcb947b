import { AppError } from '../../errors/app-error.ts'

const RETRY_AFTER_SECONDS = 1

/**
 * Capacity shared by accounts. The first half is first come, first served. Beyond that, an account
 * can hold at most a quarter of the total, so that it cannot lock out others. Memory: one number per
 * account that holds capacity.
 */
export class SharedCapacity {
  readonly #most: number
  readonly #what: string
  readonly #takenBy = new Map<string, number>()
  #taken = 0

  /** `what` uses the capacity and appears in error messages, such as "calls in progress". */
  constructor(most: number, what: string) {
    this.#most = most
    this.#what = what
  }

  /** Throws AppError overloaded when the capacity is used up, and rate_limited when the rest is reserved for other accounts. Without an account, no share is counted. */
  take(account: string | undefined, amount = 1): void {
    const all = this.#taken + amount
    if (all > this.#most)
      throw new AppError('overloaded', undefined, { retryAfterSeconds: RETRY_AFTER_SECONDS })
    const before = this.#takenFor(account)
    if (before > 0 && all > this.#most / 2 && before + amount > this.#most / 4) {
      throw new AppError(
        'rate_limited',
        `This account has reached its share of the ${this.#what} that the gateway handles concurrently.`,
        { retryAfterSeconds: RETRY_AFTER_SECONDS },
      )
    }
    this.#move(account, amount)
  }

  giveBack(account: string | undefined, amount = 1): void {
    this.#move(account, -amount)
  }

  #takenFor(account: string | undefined): number {
    return account === undefined ? 0 : (this.#takenBy.get(account) ?? 0)
  }

  #move(account: string | undefined, amount: number): void {
    this.#taken += amount
    if (account === undefined) return
    const has = this.#takenFor(account) + amount
    if (has === 0) this.#takenBy.delete(account)
    else this.#takenBy.set(account, has)
  }
}
