/**
 * Limits requests without a key that need work on the event loop, such as searches and pages rendered for
 * one request, so that they never slow down calls.
 */
import { AppError } from '../../../errors/app-error.ts'
import { isRecent, type Clock } from '../../../lib/clock.ts'
import { networkOf } from '../../../lib/fairness/network-address.ts'
import { RecentMap } from '../../../lib/recent-map.ts'

const MINUTE_MS = 60_000
const SECOND_MS = 1_000
const MOST_NETWORKS = 10_000

type Window = { startMs: number; count: number }

export type WorkLimits = {
  /** Requests of one network in a minute. */
  readonly perAddress: number
  /** Requests of one network in a second: a part of `perSecond`, so that it leaves some to others. */
  readonly perAddressSecond: number
  /** Requests of all clients in a second. */
  readonly perSecond: number
}

export class PublicWork {
  readonly #limits: WorkLimits
  readonly #now: Clock
  readonly #byMinute = new RecentMap<string, Window>(MOST_NETWORKS)
  readonly #bySecond = new RecentMap<string, Window>(MOST_NETWORKS)
  #all: Window = { startMs: 0, count: 0 }

  constructor(limits: WorkLimits, now: Clock) {
    this.#limits = limits
    this.#now = now
  }

  /** Call it before the work. Throws AppError rate_limited or overloaded. */
  start(address: string): void {
    const nowMs = this.#now()
    const network = networkOf(address)
    const own = count(this.#byMinute.get(network), MINUTE_MS, nowMs)
    this.#byMinute.set(network, own)
    if (own.count > this.#limits.perAddress)
      throw new AppError(
        'rate_limited',
        `This client requested more than ${this.#limits.perAddress} pages or searches within a minute.`,
        {
          fix: 'Wait, and cache pages by their ETag. GET /api/run has the whole catalog as one document.',
          retryAfterSeconds: Math.max(1, Math.ceil((own.startMs + MINUTE_MS - nowMs) / SECOND_MS)),
        },
      )
    const second = count(this.#bySecond.get(network), SECOND_MS, nowMs)
    this.#bySecond.set(network, second)
    if (second.count > this.#limits.perAddressSecond)
      throw new AppError(
        'rate_limited',
        `This client requested more than ${this.#limits.perAddressSecond} pages or searches within a second.`,
        { retryAfterSeconds: 1 },
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
