import type { Id } from '../lib/ids.ts'

/** Calls that wait for a job to end: at most one job per call in flight. */
export type JobWaiters = {
  /** Settles when the job has ended, on timeout, or when the caller disconnects. */
  waitFor(
    id: Id,
    timeoutMs: number,
    signal: AbortSignal,
  ): { readonly promise: Promise<void>; giveUp(): void }
  /** Wakes the calls that wait for the job. */
  announce(id: Id): void
  /** Wakes every call, because notifications may have been missed. */
  announceAll(): void
  /** Wakes every call; later calls do not wait. */
  close(): void
}

export function createJobWaiters(): JobWaiters {
  const waiting = new Map<Id, Set<() => void>>()
  let isClosed = false

  function announce(id: Id): void {
    for (const wake of waiting.get(id) ?? []) wake()
  }

  function announceAll(): void {
    for (const id of waiting.keys()) announce(id)
  }

  return {
    waitFor(id, timeoutMs, signal) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const wakers = waiting.get(id) ?? new Set()
      waiting.set(id, wakers)
      const giveUp = (): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', giveUp)
        wakers.delete(giveUp)
        if (wakers.size === 0 && waiting.get(id) === wakers) waiting.delete(id)
        resolve()
      }
      const timer = setTimeout(giveUp, timeoutMs)
      signal.addEventListener('abort', giveUp, { once: true })
      wakers.add(giveUp)
      if (isClosed) giveUp()
      return { promise, giveUp }
    },
    announce,
    announceAll,
    close() {
      isClosed = true
      announceAll()
    },
  }
}
