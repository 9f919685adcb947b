import type { Id } from '../lib/ids.ts'

/** Who waits for a job to end. Bounded by the calls in flight: each waits for one. */
export type JobEnds = {
  /** Settles when the job has ended, when the time is up, or when the caller has gone. */
  waitFor(
    id: Id,
    timeoutMs: number,
    signal: AbortSignal,
  ): { readonly promise: Promise<void>; giveUp(): void }
  /** Told of an end that was announced. */
  announce(id: Id): void
  /** Ends may have been missed: everybody looks again. */
  announceAll(): void
  /** Answers everybody, and lets nobody wait from now on. */
  close(): void
}

export function createJobEnds(): JobEnds {
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
