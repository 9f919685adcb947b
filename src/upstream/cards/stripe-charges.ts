/** Charges of a saved card while its holder is away. */
import { fieldsOf, listedFields, type Fields } from '../../lib/json-fields.ts'
import { paymentOfTopup, type StripePayment } from './stripe-objects.ts'
import { rejectedByStripe, requestStripe, type StripeSettings } from './stripe-request.ts'

export type ChargeRequest = {
  readonly account: string
  readonly cents: number
  readonly customer: string
  readonly method: string
  /** The id of the top-up, and its idempotency key at Stripe. */
  readonly topup: string
}

/** `pending`: Stripe has not decided yet. `reason`: of a failure, for its holder. */
export type ChargeOutcome =
  | { readonly kind: 'paid'; readonly payment: StripePayment }
  | { readonly kind: 'pending' }
  | {
      readonly kind: 'failed'
      readonly reason: 'declined' | 'authentication_required' | 'rejected'
    }

/** Responses to a request that Stripe did not process, such as one with a wrong key of the gateway: the same request can be sent again. */
const UNDECIDED = new Set([401, 403, 409, 429])

/**
 * Charges a saved card. A repetition with the same top-up charges nothing further. Throws AppError
 * `upstream_error` when the outcome is unknown.
 */
export async function chargeCard(
  settings: StripeSettings,
  { account, cents, customer, method, topup }: ChargeRequest,
): Promise<ChargeOutcome> {
  const form = new URLSearchParams({
    amount: String(cents),
    currency: 'usd',
    customer,
    payment_method: method,
    'automatic_payment_methods[enabled]': 'true',
    // The holder is away, so no page of a bank can follow.
    'automatic_payment_methods[allow_redirects]': 'never',
    off_session: 'true',
    confirm: 'true',
    description: 'Tollgate credit, automatic top-up',
    'metadata[tollgate_account]': account,
    'metadata[tollgate_topup]': topup,
  })
  const answer = await requestStripe(settings, '/v1/payment_intents', {
    form,
    idempotencyKey: `tollgate-topup-${topup}`,
  })
  if (answer.ok) return outcomeOf(answer.body)
  if (answer.status < 400 || answer.status >= 500 || UNDECIDED.has(answer.status))
    throw rejectedByStripe('The card processor did not decide about a payment.', answer)
  return failureOf(fieldsOf(answer.body['error']))
}

/** The charge of a top-up, if Stripe has one. Throws AppError `upstream_error`. */
export async function findCharge(
  settings: StripeSettings,
  { customer, topup }: Pick<ChargeRequest, 'customer' | 'topup'>,
): Promise<ChargeOutcome | null> {
  const answer = await requestStripe(
    settings,
    `/v1/payment_intents?${new URLSearchParams({ customer, limit: '100' }).toString()}`,
  )
  if (!answer.ok) throw rejectedByStripe('The card processor does not show its payments.', answer)
  const intent = listedFields(answer.body['data']).find(
    ({ metadata }) => fieldsOf(metadata)['tollgate_topup'] === topup,
  )
  return intent === undefined ? null : outcomeOf(intent)
}

function outcomeOf(intent: Fields): ChargeOutcome {
  const payment = paymentOfTopup(intent)
  if (payment !== null) return { kind: 'paid', payment }
  switch (intent['status']) {
    case 'requires_action':
      return { kind: 'failed', reason: 'authentication_required' }
    case 'requires_payment_method':
      return failureOf(fieldsOf(intent['last_payment_error']))
    case 'canceled':
      return { kind: 'failed', reason: 'rejected' }
    default:
      return { kind: 'pending' }
  }
}

function failureOf(error: Fields): ChargeOutcome {
  if (
    error['code'] === 'authentication_required' ||
    error['decline_code'] === 'authentication_required'
  )
    return { kind: 'failed', reason: 'authentication_required' }
  // A payment without its card, such as one that was removed at Stripe, is rejected as invalid.
  return { kind: 'failed', reason: error['type'] === 'card_error' ? 'declined' : 'rejected' }
}
