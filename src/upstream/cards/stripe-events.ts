import { createHmac, timingSafeEqual } from 'node:crypto'
import { AppError } from '../../errors/app-error.ts'
import { fieldsOf, parseFields, type Fields } from '../../lib/json-fields.ts'
import {
  isCents,
  MOST_PAYMENT_CENTS,
  paymentOfCheckout,
  paymentOfTopup,
  type StripePayment,
} from './stripe-objects.ts'
import type { StripeSettings } from './stripe-request.ts'

// Stripe's recommended tolerance: an older message may be a replay.
const TOLERANCE_SECONDS = 300

const PAID = new Set(['checkout.session.completed', 'checkout.session.async_payment_succeeded'])

/** A payment, or the total amount of a payment that was reversed so far. */
export type StripeEvent =
  | StripePayment
  | {
      readonly kind: 'reversed'
      readonly reference: string
      readonly intent: string
      readonly cents: number
      readonly isFinal: boolean
      readonly isOurs: boolean
      readonly reason: 'refund' | 'dispute'
    }

/**
 * Returns null for other events. Throws AppError `bad_request` if the signature is invalid or old.
 */
export function readStripeEvent(
  { webhookSecret }: StripeSettings,
  payload: Buffer,
  signature: string | undefined,
  nowMs: number,
): StripeEvent | null {
  if (!isSigned(webhookSecret, payload, signature ?? '', nowMs))
    throw new AppError('bad_request', "The signature is not the card processor's.", {
      fix: 'Set STRIPE_WEBHOOK_SECRET to the signing secret of this endpoint, and check the clock of this machine.',
    })
  const { type, data } = fieldsOf(parseFields(payload.toString('utf8')))
  const object = fieldsOf(fieldsOf(data)['object'])
  // Other payments of the same Stripe account send events here, too.
  if (typeof type !== 'string') return null
  if (PAID.has(type)) return paymentOfCheckout(object)
  return type === 'payment_intent.succeeded' ? paymentOfTopup(object) : reversed(type, object)
}

function reversed(type: string, object: Fields): StripeEvent | null {
  const { id, currency, amount, amount_refunded: refunded, payment_intent: intent } = object
  if (typeof id !== 'string' || typeof intent !== 'string') return null
  const event = {
    kind: 'reversed',
    reference: id,
    intent,
    isFinal: false,
    isOurs: typeof fieldsOf(object['metadata'])['tollgate_account'] === 'string',
    reason: 'dispute',
  } as const
  switch (type) {
    case 'charge.refunded':
      return currency === 'usd' && isCents(refunded)
        ? { ...event, cents: refunded, reason: 'refund' }
        : null
    case 'charge.dispute.funds_withdrawn':
      // An amount in another currency counts as the whole payment.
      return {
        ...event,
        cents: currency === 'usd' && isCents(amount) ? amount : MOST_PAYMENT_CENTS,
      }
    case 'charge.dispute.funds_reinstated':
      return { ...event, cents: 0, isFinal: true }
    default:
      return null
  }
}

/** `t=<seconds>,v1=<hex>,v1=<hex>`: there are two signatures while the secret is rotated. */
function isSigned(secret: string, payload: Buffer, signature: string, nowMs: number): boolean {
  const parts = signature.split(',').map((part) => part.trim().split('=', 2))
  const time = parts.find(([name]) => name === 't')?.[1] ?? ''
  if (!/^\d{1,12}$/.test(time) || Math.abs(nowMs / 1000 - Number(time)) > TOLERANCE_SECONDS)
    return false
  const expected = createHmac('sha256', secret).update(`${time}.`).update(payload).digest()
  return parts.some(([name, value = '']) => {
    const actual = name === 'v1' ? Buffer.from(value, 'hex') : Buffer.alloc(0)
    return actual.length === expected.length && timingSafeEqual(actual, expected)
  })
}
