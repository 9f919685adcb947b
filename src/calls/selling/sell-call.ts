import { AppError } from '../../errors/app-error.ts'
import { leaseOf, newId, type Id } from '../../lib/ids.ts'
import { formatDollars, type Micros } from '../../lib/money.ts'
import type { Mode } from '../../lib/mode.ts'
import type {
  Acceptance,
  PaymentTerms,
  Headers,
  NotSettled,
  Presented,
  Refused,
  Settled,
} from '../../upstream/sell/acceptance.ts'
import { hasPayment, requireReadablePayments } from '../../upstream/sell/payment-header.ts'
import { isRepeated } from '../idempotency/answers.ts'
import { routeFor } from '../idempotency/claim.ts'
import type { CallAnswer, Calls } from '../call.ts'
import { runCall } from '../run.ts'
import { retryWrite } from '../retry-write.ts'
import { houseCaller } from './house-account.ts'
import { quoteSale } from './quote-sale.ts'
import {
  claimSale,
  markSaleUnknown,
  deleteSale,
  settleSale,
  findTakenSale,
  unknownOutcome,
  type Sale,
} from './sales.ts'

/** In `mode` "test", payments on test networks buy simulated answers. `report` gets the reason for each rejected payment. */
export type Selling = {
  readonly acceptances: readonly Acceptance[]
  readonly publicUrl: string
  readonly mode?: Mode
  readonly report?: (refusal: {
    readonly route: string
    readonly method: string
    readonly reason: string
  }) => void
}

export type SaleRequest = {
  readonly id: Id
  readonly service: string
  readonly action: string
  readonly body: unknown
  readonly headers: Headers
  /** SHA-256 of the body in hexadecimal; empty without a body. */ readonly fingerprint: string
}

export type SaleAnswer =
  | {
      readonly kind: 'asked'
      readonly headers: Headers
      readonly body: Readonly<Record<string, unknown>>
      readonly reason: string | null
      readonly price: Micros
      readonly message: string
    }
  | { readonly kind: 'delivered'; readonly headers: Headers; readonly answer: CallAnswer }

const QUOTE_VALID_MS = 300_000
const RETRY_UNCHECKED_SECONDS = 5
const OTHER_TERMS = 'the payment is for other terms than this gateway offers'

/**
 * Sells one call to a buyer without an account. Returns the price of the request, or takes the payment in it
 * and runs the call. If the call fails, the payment stays valid for the same request until it is answered.
 * Throws AppError: bad_request for an unreadable payment; payment_unknown while its outcome is unknown, when a repeat takes the same payment again.
 */
export async function sellCall(
  calls: Calls,
  { acceptances, publicUrl, mode = 'live', report }: Selling,
  request: SaleRequest,
): Promise<SaleAnswer> {
  const { service, action, fingerprint, body } = request
  const quote = () => quoteSale(calls, { service, action, body, mode })
  const { amount: price, entry } = quote()
  const route = `/api/run/${service}/${action}`
  const asked: PaymentTerms = {
    realm: new URL(publicUrl).host,
    url: `${publicUrl}${route}`,
    description: entry.action.summary,
    discovery: { example: entry.action.example, schema: entry.action.input },
    amount: price,
    digest: digestOf(fingerprint),
    expiresMs: calls.now() + QUOTE_VALID_MS,
  }
  requireReadablePayments(request.headers)
  const payment = await paymentIn(acceptances, request.headers, asked, calls.now())
  if (payment === null) return askUnpaid(acceptances, asked, request.headers)

  const house = await houseCaller(calls.database, calls.now(), mode)
  const sale: Sale = {
    paymentKey: payment.key,
    id: newId(calls.now(), leaseOf(request.id)),
    route: mode === 'test' ? `test:${route}` : route,
    fingerprint,
    method: payment.method,
    amount: price,
  }
  const claim = await (payment.paysFullAmount ? claimSale : findTakenSale)(
    calls.database,
    sale,
    calls.now(),
  )
  if (claim === null) return ask(acceptances, asked, 'The payment does not match the price.')
  const slot = {
    accountId: house.accountId,
    route: routeFor(mode, `${service}/${action}`),
    idempotencyKey: payment.key,
    fingerprint,
  }
  const paid = claim.kind === 'new' ? price : claim.amount
  const taken =
    claim.kind === 'settled'
      ? claim
      : await take(calls, payment, {
          sale: { ...sale, amount: paid },
          walletId: house.walletId,
          isRepeat: claim.kind === 'unknown',
        })
  if ('refused' in taken) {
    report?.({ route, method: payment.method, reason: taken.refused })
    return ask(
      acceptances,
      { ...asked, error: taken.refused },
      `The payment could not be taken: ${taken.refused}.`,
    )
  }
  // The price may change while the payment is taken. A new call would spend the payments of other buyers.
  if (paid < quote().amount && !(await isRepeated(calls.database, slot)))
    return ask(
      acceptances,
      { ...asked, amount: quote().amount },
      'The price has risen since this payment was taken; the operator of this gateway can refund it.',
    )
  // Files need an account, so outputs stay as the vendor sent them.
  const { storeOutput: _, ...withoutFiles } = calls
  const answer = await runCall(withoutFiles, {
    id: request.id,
    caller: house,
    service,
    action,
    body,
    idempotency: { key: payment.key, fingerprint },
    isSold: true,
  })
  return { kind: 'delivered', headers: taken.headers, answer }
}

/** Of a body, as RFC 9530 writes it; null without a body. */
function digestOf(fingerprint: string): string | null {
  return fingerprint === ''
    ? null
    : `sha-256=:${Buffer.from(fingerprint, 'hex').toString('base64')}:`
}

type Found = Presented & { readonly method: string }

async function paymentIn(
  acceptances: readonly Acceptance[],
  headers: Headers,
  asked: PaymentTerms,
  nowMs: number,
): Promise<Found | null> {
  for (const acceptance of acceptances) {
    const presented = await acceptance.read(headers, asked, nowMs)
    if (presented !== null) return { ...presented, method: acceptance.name }
  }
  return null
}

type SaleInProgress = {
  readonly sale: Sale
  readonly walletId: number
  /** An earlier attempt has an unknown outcome. */
  readonly isRepeat: boolean
}

/** Takes the money of a claimed sale. Throws AppError when nothing was decided about the payment. */
async function take(
  { database, now }: Calls,
  payment: Found,
  { sale, walletId, isRepeat }: SaleInProgress,
): Promise<Settled | Refused> {
  const taken: Settled | NotSettled =
    payment.isExpired && !isRepeat
      ? { refused: 'the payment came too late' }
      : await payment
          .settle(isRepeat)
          .catch(() => ({ unknown: 'No answer arrived while the payment was taken.' }))
  if ('reference' in taken) {
    // The money has arrived, and this write repeats safely.
    await retryWrite(() => settleSale(database, sale, walletId, taken, now()))
    return taken
  }
  // The refusal of a repeated payment can be the effect of its first transfer.
  if ('unknown' in taken || isRepeat) {
    await markSaleUnknown(database, sale.paymentKey, 'unknown' in taken ? taken.unknown : null)
    throw unknownOutcome()
  }
  await deleteSale(database, sale.paymentKey)
  if ('refused' in taken) return taken
  throw new AppError('upstream_busy', `The payment could not be checked: ${taken.unchecked}.`, {
    fix: 'Nothing was taken. Send the same request with the same payment again.',
    retryAfterSeconds: RETRY_UNCHECKED_SECONDS,
  })
}

async function askUnpaid(
  acceptances: readonly Acceptance[],
  asked: PaymentTerms,
  headers: Headers,
): Promise<SaleAnswer> {
  return hasPayment(headers)
    ? ask(acceptances, { ...asked, error: OTHER_TERMS }, `Not taken: ${OTHER_TERMS}.`)
    : ask(acceptances, asked, 'This call needs a payment or an API key.')
}

async function ask(
  acceptances: readonly Acceptance[],
  asked: PaymentTerms,
  message: string,
): Promise<SaleAnswer> {
  const offers = await Promise.all(acceptances.map((acceptance) => acceptance.request(asked)))
  const headers = Object.assign({}, ...offers.map((offer) => offer.headers)) as Headers
  const body = Object.assign({}, ...offers.map((offer) => offer.body)) as Readonly<
    Record<string, unknown>
  >
  return {
    kind: 'asked',
    headers,
    body,
    reason: asked.error ?? null,
    price: asked.amount,
    message: `${message} It costs ${formatDollars(asked.amount)}.`,
  }
}
