import { LRUCache } from 'lru-cache'
import { AppError } from '../errors/app-error.ts'
import type { Clock } from '../lib/clock.ts'
import { networkOf } from './network-address.ts'

/** How often somebody may try in a window: from one network address for one e-mail address, for that from all of them, and for all of them from one. */
export type AttemptLimits = { readonly each: number; readonly forEmail: number; readonly fromAddress: number; readonly windowMs: number }

// The second is much above the first, so that nobody keeps the holder of an address out by guessing for it.
export const SIGN_IN_LIMITS: AttemptLimits = { each: 10, forEmail: 100, fromAddress: 100, windowMs: 15 * 60_000 }

const MOST_REMEMBERED = 20_000

type Window = { readonly beganMs: number; count: number }

/**
 * Counts attempts of one kind in this process, whether they succeed or not: who guesses passwords, or has mails sent to
 * others, is stopped soon. Memory: 20 000 windows, those of the last attempts.
 */
export class Attempts {
  readonly #limits: AttemptLimits
  readonly #now: Clock
  readonly #windows = new LRUCache<string, Window>({ max: MOST_REMEMBERED })

  constructor(limits: AttemptLimits, now: Clock) {
    this.#limits = limits
    this.#now = now
  }

  /** Throws AppError rate_limited with the time until the next may be made. */
  count(address: string, email: string): void {
    this.#take(`from ${networkOf(address)}`, this.#limits.fromAddress)
    this.#take(together(address, email), this.#limits.each)
    this.#take(`for ${named(email)}`, this.#limits.forEmail)
  }

  /** Whoever succeeded may begin anew. */
  forgive(address: string, email: string): void {
    this.#windows.delete(together(address, email))
  }

  #take(key: string, most: number): void {
    const nowMs = this.#now()
    const known = this.#windows.get(key)
    const window = known !== undefined && nowMs - known.beganMs < this.#limits.windowMs ? known : { beganMs: nowMs, count: 0 }
    this.#windows.set(key, window)
    if (window.count >= most) throw new AppError('rate_limited', 'Too many attempts.', { fix: 'Wait a while, then try again.', retryAfterSeconds: Math.ceil((window.beganMs + this.#limits.windowMs - nowMs) / 1000) })
    window.count += 1
  }
}

function together(address: string, email: string): string {
  return `from ${networkOf(address)} for ${named(email)}`
}

/** Addresses of accounts are no longer than this; what is typed may be. */
function named(email: string): string {
  return email.trim().toLowerCase().slice(0, 254)
}
