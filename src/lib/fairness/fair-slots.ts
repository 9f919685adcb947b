import { AppError } from '../../errors/app-error.ts'
import { FairQueue } from './fair-queue.ts'

/** The account that waits, and the signal that ends the wait. */
export type Visitor = { readonly accountId: string; readonly signal: AbortSignal }
export type SlotSettings = {
  /** Maximum concurrent work and maximum waiting requests. */
  readonly places: number
  readonly waiting: number
  /** Maximum places per account, even when others are free; all but one when omitted. */
  readonly perAccount?: number | undefined
  /** The resource in error messages, such as "a browser page". */
  readonly what: string
  readonly timing?: SlotTiming | undefined
}
/** Replaced in tests. */
export type SlotTiming = {
  readonly now: () => number
  /** Runs once after the time, unless the returned function is called. */
  readonly after: (ms: number, run: () => void) => () => void
}
/** Work that gives up its place: once it is older than `afterMs`, `end` is called if an account without a place waits. */
export type Yielding = { readonly afterMs: number; readonly end: () => void }
export type Slots = {
  /** Waits for a place and returns the function that releases it. Rejects with `overloaded`, `rate_limited` when the account used its share of the queue, or the signal's reason. */
  take(visitor: Visitor, yielding?: Yielding): Promise<() => void>
  /** Whether another account waits for a place that it may take: a place released by this account goes to it. */
  isWantedFrom(accountId: string): boolean
  use(): SlotUse
}
export type SlotUse = { readonly places: number; readonly taken: number; readonly waiting: number }

type Holder = Yielding & { readonly account: string; readonly dueMs: number; isEnding: boolean }

const RETRY_AFTER_SECONDS = 5
const TIMING: SlotTiming = {
  now: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms).unref()
    return () => clearTimeout(timer)
  },
}

/**
 * At most `places` run concurrently, and at most `waiting` wait. A free place goes to the account
 * with the fewest places, alternating between equals, last to the account that released it; within
 * an account, first come, first served. An account with `perAccount` places waits, so that the next
 * account finds a free place. If an account without a place waits, overdue work of the account with
 * the most places ends.
 */
export function createSlots({
  places,
  waiting,
  what,
  perAccount = allButOne(places),
  timing = TIMING,
}: SlotSettings): Slots {
  let free = places
  let stopTimer: (() => void) | undefined
  const yielding = new Set<Holder>()
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
  /** Frees a place for each waiting account without one. */
  const endOverdue = () => {
    stopTimer?.()
    stopTimer = undefined
    let wanted = [...queue.accounts()].filter((account) => taken(account) === 0).length
    for (const { isEnding } of yielding) if (isEnding) wanted -= 1
    const byNeed = [...yielding]
      .filter(({ isEnding }) => !isEnding)
      .sort((one, other) => taken(other.account) - taken(one.account) || one.dueMs - other.dueMs)
    let nextMs = Number.POSITIVE_INFINITY
    for (const holder of byNeed) {
      if (wanted <= 0) return
      const leftMs = holder.dueMs - timing.now()
      if (leftMs > 0) {
        nextMs = Math.min(nextMs, leftMs)
        continue
      }
      holder.isEnding = true
      wanted -= 1
      holder.end()
    }
    if (wanted > 0 && nextMs < Number.POSITIVE_INFINITY)
      stopTimer = timing.after(nextMs, endOverdue)
  }
  const giveBack = (account: string) => {
    if (taken(account) === 1) takenBy.delete(account)
    else takenBy.set(account, taken(account) - 1)
    const enter = next(account)
    if (enter === undefined) free += 1
    else enter()
  }
  const occupy = (account: string, wish: Yielding | undefined): (() => void) => {
    let isHeld = true
    takenBy.set(account, taken(account) + 1)
    const holder =
      wish === undefined
        ? undefined
        : { ...wish, account, dueMs: timing.now() + wish.afterMs, isEnding: false }
    if (holder !== undefined) {
      yielding.add(holder)
      endOverdue()
    }
    return () => {
      if (holder !== undefined) yielding.delete(holder)
      if (isHeld) giveBack(account)
      isHeld = false
    }
  }

  return {
    isWantedFrom: (accountId) =>
      queue.accounts().some((other) => other !== accountId && mayTake(other)),
    use: () => ({ places, taken: places - free, waiting: queue.size }),
    async take({ accountId, signal }, wish) {
      signal.throwIfAborted()
      if (free > 0 && mayTake(accountId)) {
        free -= 1
        return occupy(accountId, wish)
      }
      if (queue.size >= waiting) {
        throw new AppError('overloaded', `Too many requests are waiting for ${what}.`, {
          retryAfterSeconds: RETRY_AFTER_SECONDS,
        })
      }
      return new Promise((resolve, reject) => {
        const enter = () => {
          signal.removeEventListener('abort', leave)
          resolve(occupy(accountId, wish))
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
        endOverdue()
      })
    },
  }
}

/** All places but one, so that one account cannot take every place. A single place alternates between accounts. */
export function allButOne(places: number): number {
  return Math.max(1, places - 1)
}
