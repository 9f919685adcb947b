/** Reads the objects of Stripe's API that stand for payments. Fields are unchecked until they are read here. */
import { fieldsOf, type Fields } from '../../lib/json-fields.ts'

/** Stripe's limits for one payment. */
export const [LEAST_PAYMENT_CENTS, MOST_PAYMENT_CENTS] = [50, 99_999_999] as const

/** A payment for credit of an account. */
export type StripePayment = {
  readonly kind: 'paid'
  readonly reference: string
  readonly account: string
  readonly cents: number
  readonly intent: string | null
  /** The automatic top-up that it belongs to. */
  readonly topup: string | null
}

export type StripeCard = { readonly brand: string; readonly last4: string }

/** A card that can be charged later, when its holder is away. */
export type StripeSavedCard = StripeCard & { readonly customer: string; readonly method: string }

/** The payment of a checkout. Null when it is unpaid, in another currency or not for credit of an account. */
export function paymentOfCheckout(session: Fields): StripePayment | null {
  const account = fieldsOf(session['metadata'])['tollgate_account']
  const { id, payment_status: status, currency, amount_total: total } = session
  if (status !== 'paid' || currency !== 'usd' || typeof account !== 'string') return null
  if (typeof id !== 'string' || !isCents(total)) return null
  return {
    kind: 'paid',
    reference: id,
    account,
    cents: total,
    intent: idOf(session['payment_intent']),
    topup: null,
  }
}

/** The payment of an automatic top-up. Null for other payments, and until it has succeeded. */
export function paymentOfTopup(intent: Fields): StripePayment | null {
  const metadata = fieldsOf(intent['metadata'])
  const [account, topup] = [metadata['tollgate_account'], metadata['tollgate_topup']]
  const { id, status, currency, amount_received: received } = intent
  if (status !== 'succeeded' || currency !== 'usd' || typeof id !== 'string') return null
  if (typeof account !== 'string' || typeof topup !== 'string' || !isCents(received)) return null
  return { kind: 'paid', reference: id, account, cents: received, intent: id, topup }
}

/** The id of an object that Stripe returns as an id or, on request, as a whole. */
export function idOf(value: unknown): string | null {
  const id = typeof value === 'string' ? value : fieldsOf(value)['id']
  return typeof id === 'string' ? id : null
}

export function cardOf(method: Fields): StripeCard | null {
  const { brand, last4 } = fieldsOf(method['card'])
  return typeof brand === 'string' && typeof last4 === 'string' && /^\d{4}$/.test(last4)
    ? { brand: brand.slice(0, 30), last4 }
    : null
}

export function isCents(value: unknown): value is number {
  return (
    typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= MOST_PAYMENT_CENTS
  )
}
