import { AppError } from '../errors/app-error.ts'
import type { Id } from '../lib/ids.ts'
import type { Owner } from '../lib/owner.ts'

/** Notifies processes of new events. The payload names the account and mode of a stream. */
export const EVENTS_CHANNEL = 'tollgate_events'

/** Requests of one account, and of all accounts, that wait for events in one process. */
const MOST_OF_ACCOUNT = 20
const MOST_IN_ALL = 2_000
const RETRY_AFTER_SECONDS = 5

type Stream = Pick<Owner, 'accountId' | 'mode'>

export type EventWaiter = {
  /** Settles at the next event of the stream, or when the wait is over. */
  next(): Promise<void>
  /** The time has passed, the caller is gone, or the process stops. */
  isOver(): boolean
  giveUp(): void
}

/** Requests that wait for the next event of a stream. */
export type EventWaiters = {
  /** Throws AppError rate_limited when too many requests wait. */
  waitFor(stream: Stream, timeoutMs: number, gone?: AbortSignal): EventWaiter
  /** Wakes the requests of the stream that a notification names. */
  announce(payload: string): void
  /** Wakes every request, because notifications may have been missed. */
  announceAll(): void
  /** Ends every wait, and all later ones immediately. */
  close(): void
}

export function createEventWaiters(): EventWaiters {
  const streams = new Map<string, Set<Waiter>>()
  const perAccount = new Map<Id, number>()
  let count = 0
  let isClosed = false

  function wakeAll(waiters: Iterable<Waiter> = []): void {
    for (const waiter of waiters) waiter.wake()
  }

  return {
    waitFor({ accountId, mode }, timeoutMs, gone) {
      const ofAccount = perAccount.get(accountId) ?? 0
      if (ofAccount >= MOST_OF_ACCOUNT || count >= MOST_IN_ALL) throw tooManyWaiters()
      const stream = `${accountId} ${mode}`
      const waiters = streams.get(stream) ?? new Set()
      streams.set(stream, waiters)
      perAccount.set(accountId, ofAccount + 1)
      count += 1
      const waiter = new Waiter(timeoutMs, gone, () => {
        waiters.delete(waiter)
        if (waiters.size === 0) streams.delete(stream)
        const left = (perAccount.get(accountId) ?? 1) - 1
        if (left === 0) perAccount.delete(accountId)
        else perAccount.set(accountId, left)
        count -= 1
      })
      waiters.add(waiter)
      if (isClosed) waiter.giveUp()
      return waiter
    },
    announce: (payload) => wakeAll(streams.get(payload)),
    announceAll() {
      for (const waiters of streams.values()) wakeAll(waiters)
    },
    close() {
      isClosed = true
      for (const waiters of streams.values()) for (const one of waiters) one.giveUp()
    },
  }
}

class Waiter implements EventWaiter {
  readonly #timer: NodeJS.Timeout
  readonly #gone: AbortSignal | undefined
  readonly #onOver: () => void
  #isOver = false
  // An event between two calls of `next` is not missed.
  #woken = Promise.withResolvers<void>()

  constructor(timeoutMs: number, gone: AbortSignal | undefined, onOver: () => void) {
    this.#onOver = onOver
    this.#gone = gone
    this.#timer = setTimeout(this.giveUp, timeoutMs)
    gone?.addEventListener('abort', this.giveUp, { once: true })
  }

  async next(): Promise<void> {
    await this.#woken.promise
    this.#woken = Promise.withResolvers<void>()
  }

  isOver(): boolean {
    return this.#isOver
  }

  wake(): void {
    this.#woken.resolve()
  }

  giveUp = (): void => {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#timer)
    this.#gone?.removeEventListener('abort', this.giveUp)
    this.#onOver()
    this.wake()
  }
}

function tooManyWaiters(): AppError {
  return new AppError('rate_limited', 'Too many requests of this account wait for events.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    fix: `Let one request wait for all types. An account has at most ${MOST_OF_ACCOUNT} waiting requests.`,
  })
}
