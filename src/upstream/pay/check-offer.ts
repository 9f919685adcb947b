import type { Asset } from '../../catalog/vocabulary/merchant.ts'
import { formatDollars, type Micros } from '../../lib/money.ts'
import type { Offer } from './offer.ts'

/** The conditions for paying an offer. */
export type Expectation = {
  /** The highest amount. */
  readonly cap: Micros
  /** The host that the offer must be for. */
  readonly realm: string
  /** The payment methods that this merchant is known to accept; undefined allows any. */
  readonly methods?: readonly string[]
  readonly recipient?: string
}

export type OfferRefusal = {
  /**
   * `over_cap` and `over_ceiling` concern the amount; `unacceptable` is any other flaw of the
   * offer.
   */
  readonly kind: 'over_cap' | 'over_ceiling' | 'unacceptable' | 'no_offer'
  readonly reason: string
  readonly price: Micros | null
}

/** An offer with less time could expire before the merchant reads the payment. */
const LEAST_VALIDITY_MS = 5_000
const LONGEST_CHALLENGE_ID = 1_000

/** The reason not to pay an offer, or null. Nothing is signed before this check. */
export function refusalOfOffer(
  offer: Offer,
  assets: readonly Asset[],
  expected: Expectation,
  nowMs: number,
): OfferRefusal | null {
  const flaw = flawOf(offer, assets, expected, nowMs)
  if (flaw !== null) return { kind: 'unacceptable', reason: flaw, price: null }
  if (offer.amount <= expected.cap) return null
  return {
    kind: 'over_cap',
    reason: `The merchant charges ${formatDollars(offer.amount)}; at most ${formatDollars(expected.cap)} may be paid.`,
    price: offer.amount,
  }
}

function flawOf(
  offer: Offer,
  assets: readonly Asset[],
  { realm, methods, recipient }: Expectation,
  nowMs: number,
): string | null {
  if (offer.flaw !== undefined) return offer.flaw
  if (methods !== undefined && !methods.includes(offer.method))
    return `The merchant is not known to accept ${offer.method}.`
  if (offer.realm.toLowerCase() !== realm.toLowerCase())
    return 'The payment request is for another host.'
  const isKnown = assets.some(
    ({ currency, chainId }) => sameText(currency, offer.currency) && chainId === offer.chainId,
  )
  if (!isKnown)
    return 'This gateway does not pay in the requested currency or on the requested chain.'
  // PostgreSQL cannot store zero bytes, and long ids cannot be indexed.
  if (offer.challengeId.length > LONGEST_CHALLENGE_ID)
    return 'The merchant’s challenge id is too long.'
  if (offer.recipient?.includes('\0') === true)
    return 'The recipient of the payment is not readable.'
  if (recipient !== undefined && !sameText(recipient, offer.recipient ?? ''))
    return 'The recipient of the payment is not this merchant’s.'
  if (offer.expiresMs !== null && offer.expiresMs - nowMs < LEAST_VALIDITY_MS)
    return 'The payment request has expired.'
  return null
}

/** Compares addresses, which ignore case on these chains. */
function sameText(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}
