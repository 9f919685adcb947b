import { AppError } from '../../errors/app-error.ts'
import { FairQueue } from './fair-queue.ts'

/** Whose turn it is, and until when it is wanted. */
export type Visitor = { readonly accountId: string; readonly signal: AbortSignal }
export type SlotSettings = {
  /** How many work at once, and how many may wait for it. */
  readonly places: number
  readonly waiting: number
  /** How many places one account holds at most, even when the others are free; all of them when left out. */
  readonly perAccount?: number | undefined
  /** What is waited for, in the words of a refusal, such as "a browser page". */
  readonly what: string
}
export type Slots = {
  /** Waits for one of the places and gives the function that hands it back. Rejects with `overloaded`, `rate_limited` when the account has its share of those who wait, or the signal's reason. */
  take(visitor: Visitor): Promise<() => void>
  /** Whether another account waits for a place that it may have: one that the account gives back goes to it. */
  isWantedFrom(accountId: string): boolean
  use(): SlotUse
}
export type SlotUse = { readonly places: number; readonly taken: number; readonly waiting: number }

const RETRY_AFTER_SECONDS = 5

/**
 * At most `places` at once; at most `waiting` wait for one. A place that becomes free goes to the account that has
 * fewest of them, in turns among those that have as many, last to the one that had it, and within an account first come,
 * first served. An account that holds `perAccount` places waits, so that the next account finds a place immediately.
 */
export function createSlots({ places, waiting, what, perAccount = places }: SlotSettings): Slots {
  let free = places
  const queue = new FairQueue<() => void>(waiting + 1)
  const takenBy = new Map<string, number>()
  const taken = (account: string) => takenBy.get(account) ?? 0
  const mayTake = (account: string) => taken(account) < perAccount

  const next = (before: string) => {
    let neediest: string | undefined
    for (const account of queue.accounts()) {
      if (!mayTake(account)) continue
      const isNeedier =
        neediest === undefined ||
        taken(account) < taken(neediest) ||
        (neediest === before && taken(account) === taken(neediest))
      if (isNeedier) neediest = account
    }
    return neediest === undefined ? undefined : queue.shift(neediest)
  }
  const giveBack = (account: string) => {
    if (taken(account) === 1) takenBy.delete(account)
    else takenBy.set(account, taken(account) - 1)
    const enter = next(account)
    if (enter === undefined) free += 1
    else enter()
  }
  const occupy = (account: string): (() => void) => {
    let isHeld = true
    takenBy.set(account, taken(account) + 1)
    return () => {
      if (isHeld) giveBack(account)
      isHeld = false
    }
  }

  return {
    isWantedFrom: (accountId) =>
      queue.accounts().some((other) => other !== accountId && mayTake(other)),
    use: () => ({ places, taken: places - free, waiting: queue.size }),
    async take({ accountId, signal }) {
      signal.throwIfAborted()
      if (free > 0 && mayTake(accountId)) {
        free -= 1
        return occupy(accountId)
      }
      if (queue.size >= waiting) {
        throw new AppError('overloaded', `As many callers wait for ${what} as may.`, {
          retryAfterSeconds: RETRY_AFTER_SECONDS,
        })
      }
      return new Promise((resolve, reject) => {
        const enter = () => {
          signal.removeEventListener('abort', leave)
          resolve(occupy(accountId))
        }
        const leave = () => {
          queue.removeWhere((other) => other === enter)
          reject(signal.reason as Error)
        }
        if (!queue.push(accountId, enter)) {
          reject(
            new AppError(
              'rate_limited',
              `This account has its share of those who wait for ${what}.`,
              { retryAfterSeconds: RETRY_AFTER_SECONDS },
            ),
          )
          return
        }
        signal.addEventListener('abort', leave, { once: true })
      })
    },
  }
}

/** All places but one, so that an account never finds every place taken by one other account. A single place has to be shared in turns. */
export function allButOne(places: number): number {
  return Math.max(1, places - 1)
}
