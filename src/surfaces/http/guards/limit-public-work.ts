/**
 * Limits requests without a key that need work on the event loop, such as searches and pages rendered for
 * one request, so that they never slow down calls.
 */
import { AppError } from '../../../errors/app-error.ts'
import { isRecent, type Clock } from '../../../lib/clock.ts'
import { RecentMap } from '../../../lib/recent-map.ts'

const MINUTE_MS = 60_000
const SECOND_MS = 1_000
const MOST_ADDRESSES = 10_000

type Window = { startMs: number; count: number }

export type WorkLimits = {
  /** Requests of one client address in a minute. */
  readonly perAddress: number
  /** Requests of all clients in a second. */
  readonly perSecond: number
}

export class PublicWork {
  readonly #limits: WorkLimits
  readonly #now: Clock
  readonly #byAddress = new RecentMap<string, Window>(MOST_ADDRESSES)
  #all: Window = { startMs: 0, count: 0 }

  constructor(limits: WorkLimits, now: Clock) {
    this.#limits = limits
    this.#now = now
  }

  /** Call it before the work. Throws AppError rate_limited or overloaded. */
  start(address: string): void {
    const nowMs = this.#now()
    const own = count(this.#byAddress.get(address), MINUTE_MS, nowMs)
    this.#byAddress.set(address, own)
    if (own.count > this.#limits.perAddress)
      throw new AppError(
        'rate_limited',
        `This client requested more than ${this.#limits.perAddress} pages or searches within a minute.`,
        {
          fix: 'Wait, and cache pages by their ETag. GET /api/run has the whole catalog as one document.',
          retryAfterSeconds: Math.max(1, Math.ceil((own.startMs + MINUTE_MS - nowMs) / SECOND_MS)),
        },
      )
    this.#all = count(this.#all, SECOND_MS, nowMs)
    if (this.#all.count > this.#limits.perSecond)
      throw new AppError('overloaded', undefined, { retryAfterSeconds: 1 })
  }
}

function count(window: Window | undefined, ms: number, nowMs: number): Window {
  if (window === undefined || !isRecent(window.startMs, ms, nowMs))
    return { startMs: nowMs, count: 1 }
  window.count += 1
  return window
}
