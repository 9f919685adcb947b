import { normalizeEmail, LONGEST_EMAIL } from './records/email.ts'
import { AppError, invariant } from '../errors/app-error.ts'
import type { Clock } from '../lib/clock.ts'
import { networkOf } from '../lib/fairness/network-address.ts'
import { RecentMap } from '../lib/recent-map.ts'

type OwnLimits = {
  readonly windowMs: number
  /** From one network. */
  readonly fromAddress?: number
  /** By one account. */
  readonly byAccount?: number
  /** For one email address from one network. */
  readonly each?: number
  /** For one email address from all networks. */
  readonly forEmail?: number
}

/** A total that one caller could use up needs a smaller limit of the caller. */
type SharedLimits = OwnLimits & { readonly inAll: number } & (
    | { readonly fromAddress: number }
    | { readonly byAccount: number }
  )

/** The maximum number of attempts in a window. Missing limits are not counted. */
export type AttemptLimits = (OwnLimits & { readonly inAll?: undefined }) | SharedLimits

/** The network address, the account and the email address of an attempt, if known. */
export type Attempt = {
  readonly address?: string
  readonly account?: string
  readonly email?: string
}

// The limit per email address is much higher than the one per network, so that guesses from one
// network do not lock the account's holder out.
export const SIGN_IN_LIMITS = {
  each: 10,
  forEmail: 100,
  fromAddress: 100,
  windowMs: 15 * 60_000,
} as const satisfies AttemptLimits

const MOST_WINDOWS = 20_000

type Window = { readonly beganMs: number; count: number }

/**
 * Counts attempts of one kind in this process, successful or not. Limits password guesses and
 * emails to strangers. Memory: the 20 000 most recent windows.
 */
export class Attempts {
  readonly #limits: AttemptLimits
  readonly #now: Clock
  readonly #windows = new RecentMap<string, Window>(MOST_WINDOWS)

  constructor(limits: AttemptLimits, now: Clock) {
    this.#limits = limits
    this.#now = now
  }

  /** Throws AppError rate_limited with the time until the next attempt. */
  count({ address, account, email }: Attempt): void {
    const { fromAddress, byAccount, each, forEmail, inAll } = this.#limits
    invariant(
      inAll === undefined ||
        (fromAddress !== undefined && address !== undefined) ||
        (byAccount !== undefined && account !== undefined),
      'an attempt with a limit in total has a limit of its caller',
    )
    if (address !== undefined) this.#take(`from ${networkOf(address)}`, fromAddress)
    if (account !== undefined) this.#take(`by ${account}`, byAccount)
    if (address !== undefined && email !== undefined) this.#take(pairKey(address, email), each)
    if (email !== undefined) this.#take(`for ${mailboxKey(email)}`, forEmail)
    this.#take('in all', inAll)
  }

  /** Resets the count after a successful sign-in. */
  forgive({ address, email }: Required<Pick<Attempt, 'address' | 'email'>>): void {
    this.#windows.delete(pairKey(address, email))
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

function pairKey(address: string, email: string): string {
  return `from ${networkOf(address)} for ${mailboxKey(email)}`
}

/**
 * One key per mailbox, so that a different spelling gets no further attempts. Typed text can be
 * longer than any address.
 */
function mailboxKey(email: string): string {
  return (normalizeEmail(email) ?? email.trim()).toLowerCase().slice(0, LONGEST_EMAIL)
}
