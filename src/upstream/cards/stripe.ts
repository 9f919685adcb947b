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
/** What Stripe takes for one payment. */
export const [LEAST_PAYMENT_CENTS, MOST_PAYMENT_CENTS] = [50, 99_999_999] as const
// As the card company advises: what is older may be a message that somebody recorded.
const TOLERANCE_SECONDS = 300

/** Opens a page of Stripe's at which a card pays for credit; returns its address. Throws AppError upstream_error. */
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
    // Refunds name the payment alone.
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
    throw new AppError('upstream_error', 'The card company opened no checkout.', {
      details: { upstream: { service: 'stripe', status: answer.status } },
    })
  } catch (error) {
    if (error instanceof AppError) throw error
    throw new AppError('upstream_error', 'The card company did not answer.', { cause: error })
  }
}

const PAID = new Set(['checkout.session.completed', 'checkout.session.async_payment_succeeded'])

/** What a message tells: a payment, or how much of one was taken back by now. */
export type StripeNews =
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

type Told = {
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

/** Null when a message tells of something else. Throws AppError bad_request when the signature is not Stripe's, or old. */
export function readStripeEvent(
  { webhookSecret }: StripeSettings,
  payload: Buffer,
  signature: string | undefined,
  nowMs: number,
): StripeNews | null {
  if (!isSigned(webhookSecret, payload, signature ?? '', nowMs))
    throw new AppError('bad_request', 'The signature is not that of the card company.', {
      fix: 'Set STRIPE_WEBHOOK_SECRET to the signing secret of this very endpoint, and the clock of this machine.',
    })
  const { type, data } = fieldsOf(parseFields(payload.toString('utf8')))
  const told: Told = fieldsOf(fieldsOf(data)['object'])
  if (typeof type !== 'string' || typeof told.id !== 'string') return null
  return PAID.has(type) ? paid(told, told.id) : reversed(type, told, told.id)
}

function paid(
  { payment_status: status, currency, amount_total: total, metadata, payment_intent: intent }: Told,
  reference: string,
): StripeNews | null {
  // Other checkouts of the same account of Stripe's tell here too.
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
  { currency, amount, amount_refunded: refunded, metadata, payment_intent: intent }: Told,
  reference: string,
): StripeNews | null {
  if (typeof intent !== 'string') return null
  const news = {
    kind: 'reversed',
    reference,
    intent,
    isFinal: false,
    isOurs: typeof metadata?.tollgate_account === 'string',
  } as const
  switch (type) {
    case 'charge.refunded':
      return currency === 'usd' && isCents(refunded) ? { ...news, cents: refunded } : null
    case 'charge.dispute.funds_withdrawn':
      // In another currency it is told for what the whole payment was.
      return { ...news, cents: currency === 'usd' && isCents(amount) ? amount : MOST_PAYMENT_CENTS }
    case 'charge.dispute.funds_reinstated':
      return { ...news, cents: 0, isFinal: true }
    default:
      return null
  }
}

function isCents(value: unknown): value is number {
  return (
    typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= MOST_PAYMENT_CENTS
  )
}

/** `t=<seconds>,v1=<hex>,v1=<hex>`: while a secret is exchanged there are two. */
function isSigned(secret: string, payload: Buffer, signature: string, nowMs: number): boolean {
  const parts = signature.split(',').map((part) => part.trim().split('=', 2))
  const time = parts.find(([name]) => name === 't')?.[1] ?? ''
  if (!/^\d{1,12}$/.test(time) || Math.abs(nowMs / 1000 - Number(time)) > TOLERANCE_SECONDS)
    return false
  const wanted = createHmac('sha256', secret).update(`${time}.`).update(payload).digest()
  return parts.some(([name, value = '']) => {
    const given = name === 'v1' ? Buffer.from(value, 'hex') : Buffer.alloc(0)
    return given.length === wanted.length && timingSafeEqual(given, wanted)
  })
}
