/** Reads an event of Stripe: a movement of money, one without effect here, or one that is unread. */
import { fieldsOf, type Fields } from '../../lib/json-fields.ts'
import {
  idOf,
  isCents,
  MOST_PAYMENT_CENTS,
  paymentOfCheckout,
  paymentOfTopup,
  type StripePayment,
} from './stripe-objects.ts'

type StripeReversal = {
  readonly reference: string
  readonly intent: string
  readonly cents: number
  /** Of the event, in Unix seconds. */
  readonly atSeconds: number
  readonly isOurs: boolean
}

/** A payment, the total amount of a payment that was reversed so far, or a refund that failed at the bank. */
export type StripeEvent =
  | StripePayment
  | (StripeReversal & {
      readonly kind: 'reversed'
      readonly isFinal: boolean
      readonly reason: 'refund' | 'dispute'
    })
  | (StripeReversal & { readonly kind: 'refund_failed' })
  | UnreadStripeEvent

/** An event that may be about money of this gateway, in a form that it does not know. */
export type UnreadStripeEvent = {
  readonly kind: 'unread'
  readonly id: string
  readonly type: string
  readonly account: string | null
  readonly intent: string | null
  readonly session: string | null
  readonly amount: number | null
  readonly currency: string | null
}

/** Events about payments that move no money, or whose money another event reports. */
const WITHOUT_EFFECT = new Set([
  'checkout.session.expired',
  'checkout.session.async_payment_failed',
  'payment_intent.created',
  'payment_intent.processing',
  'payment_intent.requires_action',
  'payment_intent.payment_failed',
  'payment_intent.canceled',
  'charge.succeeded',
  'charge.pending',
  'charge.failed',
  'charge.captured',
  'charge.updated',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'refund.created',
])

/** Null for an event without effect on money of this gateway. */
export function readNotice({ id, type, created, data }: Fields): StripeEvent | null {
  const object = fieldsOf(fieldsOf(data)['object'])
  if (typeof type !== 'string' || WITHOUT_EFFECT.has(type)) return null
  const notice = booked(type, object, typeof created === 'number' ? Math.trunc(created) : 0)
  return notice === 'unread' ? unread(typeof id === 'string' ? id : null, type, object) : notice
}

function booked(type: string, object: Fields, atSeconds: number): StripeEvent | null | 'unread' {
  switch (type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
      // A bank transfer arrives later, in another event.
      return object['payment_status'] === 'unpaid' || object['amount_total'] === 0
        ? null
        : (paymentOfCheckout(object) ?? 'unread')
    case 'payment_intent.succeeded':
      // The payment of a checkout is reported by the checkout.
      return fieldsOf(object['metadata'])['tollgate_topup'] === undefined
        ? null
        : (paymentOfTopup(object) ?? 'unread')
    case 'refund.updated':
    case 'charge.refund.updated':
      return object['status'] === 'failed' || object['status'] === 'canceled'
        ? reversal('refund.failed', object, atSeconds)
        : null
    default:
      return reversal(type, object, atSeconds)
  }
}

function reversal(type: string, object: Fields, atSeconds: number): StripeEvent | 'unread' {
  const { id, currency, amount, amount_refunded: refunded } = object
  const intent = idOf(object['payment_intent'])
  if (typeof id !== 'string' || intent === null) return 'unread'
  const isOurs = accountOf(object) !== null
  const event = { reference: id, intent, atSeconds, isOurs }
  const dispute = { ...event, kind: 'reversed', isFinal: false, reason: 'dispute' } as const
  switch (type) {
    case 'charge.refunded':
      return currency === 'usd' && (refunded === 0 || isCents(refunded))
        ? { ...dispute, cents: refunded, reason: 'refund' }
        : 'unread'
    case 'refund.failed':
      return currency === 'usd' && isCents(amount)
        ? { ...event, kind: 'refund_failed', cents: amount }
        : 'unread'
    case 'charge.dispute.funds_withdrawn':
      // An amount in another currency counts as the whole payment.
      return {
        ...dispute,
        cents: currency === 'usd' && isCents(amount) ? amount : MOST_PAYMENT_CENTS,
      }
    case 'charge.dispute.funds_reinstated':
      return { ...dispute, cents: 0, isFinal: true }
    default:
      return 'unread'
  }
}

/** Null if the event names nothing by which it could be of this gateway. */
function unread(eventId: string | null, type: string, object: Fields): UnreadStripeEvent | null {
  const { id, currency, amount, amount_total: total } = object
  const account = accountOf(object)
  const session = typeof id === 'string' && id.startsWith('cs_') ? id : null
  const own = typeof id === 'string' && id.startsWith('pi_') ? id : null
  const intent = own ?? idOf(object['payment_intent'])
  if (account === null && intent === null && session === null) return null
  const sum = total ?? amount
  return {
    kind: 'unread',
    id: eventId ?? `${type} ${String(id)}`,
    type: type.slice(0, 100),
    account,
    intent,
    session,
    amount: Number.isSafeInteger(sum) ? (sum as number) : null,
    currency: typeof currency === 'string' ? currency.slice(0, 3) : null,
  }
}

function accountOf(object: Fields): string | null {
  const account = fieldsOf(object['metadata'])['tollgate_account']
  return typeof account === 'string' ? account : null
}
