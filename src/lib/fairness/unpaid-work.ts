import { AppError } from '../../errors/app-error.ts'
import { HOUR_MS, type Clock } from '../clock.ts'
import { RecentMap } from '../recent-map.ts'

type Tally = { readonly atMs: number; readonly amount: number }

export type UnpaidSettings = {
  /** Of one account within an hour, in any unit of work. */
  readonly most: number
  readonly now: Clock
  /** The work in the error message, such as "failed renders". */
  readonly what?: string
}

/** Rations the work of each account that ends without a charge. Paid work of the account makes up for it. */
export type UnpaidWork = {
  /** Throws AppError `rate_limited` once the account has used its ration. */
  admit(accountId: string): void
  /** Whether as much more fits into the ration. */
  fits(accountId: string, amount: number): boolean
  /** Negative for paid work, and for work that was counted before its end. */
  add(accountId: string, amount: number): void
}

const ACCOUNTS = 10_000

/** An account whose last work exceeded its ration is admitted again after at most an hour. Per process. */
export function createUnpaidWork({ most, now, what = 'calls' }: UnpaidSettings): UnpaidWork {
  const tallies = new RecentMap<string, Tally>(ACCOUNTS)

  function amountOf(accountId: string): number {
    const tally = tallies.get(accountId)
    if (tally === undefined) return 0
    // Nothing is forgiven while the clock stands still or is set back.
    const passedMs = Math.max(0, now() - tally.atMs)
    return Math.max(0, tally.amount - (passedMs / HOUR_MS) * most)
  }

  return {
    fits: (accountId, amount) => amountOf(accountId) + amount <= most,
    admit(accountId) {
      const excess = amountOf(accountId) - most
      if (excess < 0) return
      throw new AppError(
        'rate_limited',
        `This account had too many ${what} within an hour. Nothing was charged.`,
        {
          fix: 'Wait, or send input that can be processed.',
          retryAfterSeconds: Math.ceil(((excess / most) * HOUR_MS) / 1000) + 60,
        },
      )
    },
    add(accountId, amount) {
      const total = Math.min(2 * most, Math.max(0, amountOf(accountId) + amount))
      tallies.set(accountId, { atMs: now(), amount: total })
    },
  }
}
