import type { Asset } from '../../catalog/vocabulary/merchant.ts'
import { formatDollars, type Micros } from '../../lib/money.ts'
import type { Offer } from './offer.ts'

/** What may be paid, and to whom. */
export type Expectation = {
  /** The most that may be paid. */
  readonly cap: Micros
  /** Whoever asks must speak for this host. */
  readonly realm: string
  /** The methods that this merchant is known to take; any when left out. */
  readonly methods?: readonly string[]
  readonly recipient?: string
}

export type OfferRefusal = {
  /** over_cap and over_ceiling are of money; unacceptable is everything else that is wrong with what was asked for. */
  readonly kind: 'over_cap' | 'over_ceiling' | 'unacceptable' | 'no_offer'
  readonly reason: string
  readonly price: Micros | null
}

/** An offer that ends sooner could be over before the merchant reads the payment. */
const LEAST_VALIDITY_MS = 5_000
const LONGEST_CHALLENGE_ID = 1_000

/** Why an offer must not be paid, or null. Nothing was signed yet. */
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
    reason: `The merchant asks ${formatDollars(offer.amount)}; at most ${formatDollars(expected.cap)} may be paid.`,
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
    return `The merchant is not known to take ${offer.method}.`
  if (offer.realm.toLowerCase() !== realm.toLowerCase())
    return 'The payment is asked for on behalf of another host.'
  const isKnown = assets.some(
    ({ currency, chainId }) => sameText(currency, offer.currency) && chainId === offer.chainId,
  )
  if (!isKnown)
    return 'The payment is asked for in a currency or on a chain that this gateway does not pay in.'
  // Nothing that holds a zero byte can be written down, and no long name be looked for.
  if (offer.challengeId.length > LONGEST_CHALLENGE_ID)
    return 'The merchant’s name of its request for a payment is too long.'
  if (offer.recipient?.includes('\0') === true)
    return 'The payment would go to a recipient that cannot be read.'
  if (recipient !== undefined && !sameText(recipient, offer.recipient ?? ''))
    return 'The payment would go to another recipient than this merchant’s.'
  if (offer.expiresMs !== null && offer.expiresMs - nowMs < LEAST_VALIDITY_MS)
    return 'The request for payment has expired.'
  return null
}

/** Addresses on these chains mean the same in capitals and small letters. */
function sameText(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}
