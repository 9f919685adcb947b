import { LRUCache } from 'lru-cache'
import { normalizeEmail, LONGEST_EMAIL } from './records/email.ts'
import { AppError } from '../errors/app-error.ts'
import type { Clock } from '../lib/clock.ts'
import { networkOf } from './network-address.ts'

/** How often somebody may try in a window; what is left out is not counted. */
export type AttemptLimits = {
  readonly windowMs: number
  /** From one network address. */
  readonly fromAddress?: number
  /** For one e-mail address, from one network address. */
  readonly each?: number
  /** For one e-mail address, from wherever. */
  readonly forEmail?: number
  /** From wherever, for whomever. */
  readonly inAll?: number
}

/** Where it comes from, and for whom it is, as far as that is known. */
export type Attempt = { readonly address?: string; readonly email?: string }

// Much more for an address from all networks than from one, so that nobody keeps its holder out by guessing for it.
export const SIGN_IN_LIMITS = {
  each: 10,
  forEmail: 100,
  fromAddress: 100,
  windowMs: 15 * 60_000,
} as const satisfies AttemptLimits

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
  count({ address, email }: Attempt): void {
    const { fromAddress, each, forEmail, inAll } = this.#limits
    if (address !== undefined) this.#take(`from ${networkOf(address)}`, fromAddress)
    if (address !== undefined && email !== undefined) this.#take(together(address, email), each)
    if (email !== undefined) this.#take(`for ${named(email)}`, forEmail)
    this.#take('in all', inAll)
  }

  /** Whoever succeeded may begin anew. */
  forgive({ address, email }: Required<Attempt>): void {
    this.#windows.delete(together(address, email))
  }

  #take(key: string, most: number | undefined): void {
    if (most === undefined) return
    const nowMs = this.#now()
    const known = this.#windows.get(key)
    const window =
      known !== undefined && nowMs - known.beganMs < this.#limits.windowMs
        ? known
        : { beganMs: nowMs, count: 0 }
    this.#windows.set(key, window)
    if (window.count >= most)
      throw new AppError('rate_limited', 'Too many attempts.', {
        fix: 'Wait a while, then try again.',
        retryAfterSeconds: Math.ceil((window.beganMs + this.#limits.windowMs - nowMs) / 1000),
      })
    window.count += 1
  }
}

function together(address: string, email: string): string {
  return `from ${networkOf(address)} for ${named(email)}`
}

/** One mailbox, however it is typed: else each way to write it would bring attempts of its own. Addresses of accounts are no longer than this, what is typed may be. */
function named(email: string): string {
  return (normalizeEmail(email) ?? email.trim()).toLowerCase().slice(0, LONGEST_EMAIL)
}
