import { fieldsOf } from '../../lib/json-fields.ts'
import {
  cardOf,
  idOf,
  paymentOfCheckout,
  type StripeCard,
  type StripePayment,
  type StripeSavedCard,
} from './stripe-objects.ts'
import { rejectedByStripe, requestStripe, type StripeSettings } from './stripe-request.ts'

export type CheckoutRequest = {
  readonly account: string
  readonly cents: number
  /** May contain `{CHECKOUT_SESSION_ID}`, which Stripe replaces. */
  readonly successUrl: string
  readonly cancelUrl: string
  /** Saves the card for automatic top-ups. Stripe's page asks its holder for consent. */
  readonly savesCard: boolean
}

/**
 * Opens a Stripe checkout page for a card payment. Returns its id and its URL. Throws AppError
 * `upstream_error`.
 */
export async function openCheckout(
  settings: StripeSettings,
  { account, cents, successUrl, cancelUrl, savesCard }: CheckoutRequest,
): Promise<{ readonly session: string; readonly url: string }> {
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
    success_url: successUrl,
    cancel_url: cancelUrl,
    ...(savesCard
      ? {
          customer_creation: 'always',
          'payment_intent_data[setup_future_usage]': 'off_session',
        }
      : {}),
  })
  const answer = await requestStripe(settings, '/v1/checkout/sessions', { form })
  const { id, url } = answer.body
  if (
    answer.ok &&
    typeof id === 'string' &&
    typeof url === 'string' &&
    /^https?:$/.test(URL.parse(url)?.protocol ?? '')
  )
    return { session: id, url }
  throw rejectedByStripe('The card processor opened no checkout.', answer)
}

export type StripeCheckout = {
  /** Unpaid checkouts expire. A complete one can still be unpaid, such as a bank transfer. */
  readonly status: 'open' | 'complete' | 'expired'
  readonly payment: StripePayment | null
  readonly card: StripeCard | null
  /** Null unless the checkout saved its card. */
  readonly saved: StripeSavedCard | null
}

/** The present state of a checkout. Throws AppError `upstream_error`. */
export async function readCheckout(
  settings: StripeSettings,
  session: string,
): Promise<StripeCheckout> {
  const answer = await requestStripe(
    settings,
    `/v1/checkout/sessions/${encodeURIComponent(session)}?${new URLSearchParams({ 'expand[0]': 'payment_intent.payment_method' }).toString()}`,
  )
  const { status } = answer.body
  if (!answer.ok || (status !== 'open' && status !== 'complete' && status !== 'expired'))
    throw rejectedByStripe('The card processor does not show this checkout.', answer)
  const intent = fieldsOf(answer.body['payment_intent'])
  const card = cardOf(fieldsOf(intent['payment_method']))
  const [customer, method] = [idOf(answer.body['customer']), idOf(intent['payment_method'])]
  const isSaved = intent['setup_future_usage'] === 'off_session'
  return {
    status,
    payment: paymentOfCheckout(answer.body),
    card,
    saved:
      isSaved && card !== null && customer !== null && method !== null
        ? { ...card, customer, method }
        : null,
  }
}
