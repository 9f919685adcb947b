import { createHmac, timingSafeEqual } from 'node:crypto'
import { fetch as send } from 'undici'
import { AppError } from '../../errors/app-error.ts'
import { fieldsOf, parseFields } from '../../lib/json-fields.ts'

export type StripeSettings = {
  readonly key: string
  readonly webhookSecret: string
  readonly url: string
}

const TIMEOUT_MS = 15_000
/** Stripe's limits for one payment. */
export const [LEAST_PAYMENT_CENTS, MOST_PAYMENT_CENTS] = [50, 99_999_999] as const
// Stripe's recommended tolerance: an older message may be a replay.
const TOLERANCE_SECONDS = 300

/**
 * Opens a Stripe checkout page for a card payment and returns its URL. Throws AppError
 * `upstream_error`.
 */
export async function openCheckout(
  { key, url }: StripeSettings,
  {
    account,
    cents,
    returnUrl,
  }: { readonly account: string; readonly cents: number; readonly returnUrl: string },
): Promise<string> {
  const form = new URLSearchParams({
    mode: 'payment',
    'line_items[0][quantity]': '1',
    'line_items[0][price_data][currency]': 'usd',
    'line_items[0][price_data][unit_amount]': String(cents),
    'line_items[0][price_data][product_data][name]': 'Tollgate credit',
    client_reference_id: account,
    'metadata[tollgate_account]': account,
    // Refund events contain only the payment.
    'payment_intent_data[metadata][tollgate_account]': account,
    success_url: returnUrl,
    cancel_url: returnUrl,
  })
  try {
    const answer = await send(`${url}/v1/checkout/sessions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: form.toString(),
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const { url: checkout } = (await answer.json()) as { url?: unknown }
    if (
      answer.ok &&
      typeof checkout === 'string' &&
      /^https?:$/.test(URL.parse(checkout)?.protocol ?? '')
    )
      return checkout
    throw new AppError('upstream_error', 'The card processor opened no checkout.', {
      details: { upstream: { service: 'stripe', status: answer.status } },
    })
  } catch (error) {
    if (error instanceof AppError) throw error
    throw new AppError('upstream_error', 'The card processor did not respond.', { cause: error })
  }
}

const PAID = new Set(['checkout.session.completed', 'checkout.session.async_payment_succeeded'])

/** A payment, or the total amount of a payment that was reversed so far. */
export type StripeEvent =
  | {
      readonly kind: 'paid'
      readonly reference: string
      readonly account: string
      readonly cents: number
      readonly intent: string | null
    }
  | {
      readonly kind: 'reversed'
      readonly reference: string
      readonly intent: string
      readonly cents: number
      readonly isFinal: boolean
      readonly isOurs: boolean
    }

type StripeObject = {
  readonly [
    name in
      | 'id'
      | 'payment_status'
      | 'currency'
      | 'amount_total'
      | 'amount_refunded'
      | 'amount'
      | 'payment_intent'
  ]?: unknown
} & { readonly metadata?: { readonly tollgate_account?: unknown } | null }

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
  const object: StripeObject = fieldsOf(fieldsOf(data)['object'])
  if (typeof type !== 'string' || typeof object.id !== 'string') return null
  return PAID.has(type) ? paid(object, object.id) : reversed(type, object, object.id)
}

function paid(
  {
    payment_status: status,
    currency,
    amount_total: total,
    metadata,
    payment_intent: intent,
  }: StripeObject,
  reference: string,
): StripeEvent | null {
  // Other checkouts of the same Stripe account send events here, too.
  const account = metadata?.tollgate_account
  if (status !== 'paid' || currency !== 'usd' || typeof account !== 'string' || !isCents(total))
    return null
  return {
    kind: 'paid',
    reference,
    account,
    cents: total,
    intent: typeof intent === 'string' ? intent : null,
  }
}

function reversed(
  type: string,
  { currency, amount, amount_refunded: refunded, metadata, payment_intent: intent }: StripeObject,
  reference: string,
): StripeEvent | null {
  if (typeof intent !== 'string') return null
  const event = {
    kind: 'reversed',
    reference,
    intent,
    isFinal: false,
    isOurs: typeof metadata?.tollgate_account === 'string',
  } as const
  switch (type) {
    case 'charge.refunded':
      return currency === 'usd' && isCents(refunded) ? { ...event, cents: refunded } : null
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

function isCents(value: unknown): value is number {
  return (
    typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= MOST_PAYMENT_CENTS
  )
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
