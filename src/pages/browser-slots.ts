import { AppError } from '../errors/app-error.ts'

export type Slots = {
  /** Waits for one of the places and gives the function that hands it back. Rejects with `overloaded`, or the signal's reason. */
  take(signal: AbortSignal): Promise<() => void>
}

const RETRY_AFTER_SECONDS = 5

/** At most `places` at once; at most `waiting` wait for one, first come, first served. */
export function createSlots(places: number, waiting: number): Slots {
  let free = places
  const queue: (() => void)[] = []

  const giveBack = () => {
    const next = queue.shift()
    if (next === undefined) free += 1
    else next()
  }
  const once = (): (() => void) => {
    let isHeld = true
    return () => {
      if (isHeld) giveBack()
      isHeld = false
    }
  }

  return {
    async take(signal) {
      signal.throwIfAborted()
      if (free > 0) {
        free -= 1
        return once()
      }
      if (queue.length >= waiting) {
        throw new AppError('overloaded', 'Every browser page is in use, and as many callers wait as may.', { retryAfterSeconds: RETRY_AFTER_SECONDS })
      }
      return new Promise((resolve, reject) => {
        const enter = () => {
          signal.removeEventListener('abort', leave)
          resolve(once())
        }
        const leave = () => {
          queue.splice(queue.indexOf(enter), 1)
          reject(signal.reason as Error)
        }
        signal.addEventListener('abort', leave, { once: true })
        queue.push(enter)
      })
    },
  }
}
