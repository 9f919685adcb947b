import { AppError } from '../../errors/app-error.ts'

const RETRY_AFTER_SECONDS = 1

/**
 * Room for so much at once, shared by accounts. Any of them may have the first half by itself; beyond that one has a
 * quarter of all at most, so that nobody keeps the others out. Memory: a number for each account that has some.
 */
export class SharedRoom {
  readonly #most: number
  readonly #what: string
  readonly #takenBy = new Map<string, number>()
  #taken = 0

  /** `what` takes the room, in the words of a refusal, such as "calls in progress". */
  constructor(most: number, what: string) {
    this.#most = most
    this.#what = what
  }

  /** Throws AppError overloaded when there is no room, and rate_limited when it is left to other accounts. Nobody's share is counted where there is no account. */
  take(account: string | undefined, amount = 1): void {
    const all = this.#taken + amount
    if (all > this.#most)
      throw new AppError('overloaded', undefined, { retryAfterSeconds: RETRY_AFTER_SECONDS })
    const before = this.#takenFor(account)
    if (before > 0 && all > this.#most / 2 && before + amount > this.#most / 4) {
      throw new AppError(
        'rate_limited',
        `This account has its share of the ${this.#what} that the gateway takes at once.`,
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
