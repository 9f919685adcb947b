import { AppError } from '../../errors/app-error.ts'
import { FairQueue } from './fair-queue.ts'

/** The account that waits, and the signal that ends the wait. */
export type Visitor = { readonly accountId: string; readonly signal: AbortSignal }
export type SlotSettings = {
  /** Maximum concurrent work and maximum waiting requests. */
  readonly places: number
  readonly waiting: number
  /** Maximum places per account, even when others are free; all places when omitted. */
  readonly perAccount?: number | undefined
  /** The resource in error messages, such as "a browser page". */
  readonly what: string
}
export type Slots = {
  /** Waits for a place and returns the function that releases it. Rejects with `overloaded`, `rate_limited` when the account used its share of the queue, or the signal's reason. */
  take(visitor: Visitor): Promise<() => void>
  /** Whether another account waits for a place that it may take: a place released by this account goes to it. */
  isWantedFrom(accountId: string): boolean
  use(): SlotUse
}
export type SlotUse = { readonly places: number; readonly taken: number; readonly waiting: number }

const RETRY_AFTER_SECONDS = 5

/**
 * At most `places` run concurrently, and at most `waiting` wait. A free place goes to the account
 * with the fewest places, alternating between equals, last to the account that released it; within
 * an account, first come, first served. An account with `perAccount` places waits, so that the next
 * account finds a free place.
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
        throw new AppError('overloaded', `Too many requests are waiting for ${what}.`, {
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
              `This account has too many requests waiting for ${what}.`,
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

/** All places but one, so that one account cannot take every place. A single place alternates between accounts. */
export function allButOne(places: number): number {
  return Math.max(1, places - 1)
}
