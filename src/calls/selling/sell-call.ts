/** A call that is paid by itself, without an account: price, payment, then the same money path as any other call. */
import { AppError } from '../../errors/app-error.ts'
import { newId, type Id } from '../../lib/ids.ts'
import { formatDollars, type Micros } from '../../lib/money.ts'
import type { Acceptance, PaymentTerms, Headers, Presented } from '../../upstream/sell/acceptance.ts'
import { isRepeated } from '../answers.ts'
import { routeFor } from '../claim.ts'
import { runCall, type CallAnswer, type Calls } from '../run.ts'
import { houseCaller } from './house-account.ts'
import { quoteCall } from './quote-call.ts'
import { claimSale, doubtSale, dropSale, settleSale, takenSale, unknownOutcome, type Sale } from './sales.ts'

export type Selling = { readonly acceptances: readonly Acceptance[]; readonly publicUrl: string }

export type SaleRequest = { readonly id: Id; readonly service: string; readonly action: string; readonly body: unknown; readonly headers: Headers; /** SHA-256 of the body in hexadecimal; empty without a body. */ readonly fingerprint: string }

export type SaleAnswer =
  | { readonly kind: 'asked'; readonly headers: Headers; readonly price: Micros; readonly message: string }
  | { readonly kind: 'delivered'; readonly headers: Headers; readonly answer: CallAnswer }

const QUOTE_VALID_MS = 300_000
const WRITE_ATTEMPTS = 3

/**
 * Asks for the price of this very request, or takes the payment that came with it and runs the call. The payment is
 * taken first; when the call then fails, it stays good for the same request until it was answered. Throws AppError.
 */
export async function sellCall(calls: Calls, { acceptances, publicUrl }: Selling, request: SaleRequest): Promise<SaleAnswer> {
  const { service, action, fingerprint } = request
  const price = quoteCall(calls, service, action, request.body)
  const route = `/api/run/${service}/${action}`
  const digest = fingerprint === '' ? null : `sha-256=:${Buffer.from(fingerprint, 'hex').toString('base64')}:`
  const asked: PaymentTerms = { realm: new URL(publicUrl).host, url: `${publicUrl}${route}`, amount: price, digest, expiresMs: calls.now() + QUOTE_VALID_MS }
  const payment = await paymentIn(acceptances, request.headers, asked, calls.now())
  if (payment === null) return ask(acceptances, asked, 'This call is paid for by itself, or made with a key.')

  const house = await houseCaller(calls.database, calls.now())
  const sale: Sale = { paymentKey: payment.key, id: newId(calls.now()), route, fingerprint, method: payment.method, amount: price }
  const claim = await (payment.paysAsked ? claimSale : takenSale)(calls.database, sale, calls.now())
  if (claim === null) return ask(acceptances, asked, 'The payment is not of the price.')
  const slot = { accountId: house.accountId, route: routeFor('live', `${service}/${action}`), idempotencyKey: payment.key, fingerprint }
  // What was answered is answered again. Else the others' payments would have to make up the difference.
  if (claim.kind === 'settled' && claim.amount < price && !(await isRepeated(calls.database, slot))) return ask(acceptances, asked, 'The price has risen since this payment was taken; the operator of this gateway can give it back.')
  const headers = claim.kind === 'settled' ? claim.headers : await take(calls, payment, sale, house.walletId)
  if (headers === null) return ask(acceptances, asked, 'The payment could not be taken.')
  // Who has no account has no files: outputs stay as the vendor sent them.
  const { keepOutput: _, ...without } = calls
  const answer = await runCall(without, { id: request.id, caller: house, service, action, body: request.body, idempotency: { key: payment.key, fingerprint }, isSold: true })
  return { kind: 'delivered', headers, answer }
}

type Found = Presented & { readonly method: string }

async function paymentIn(acceptances: readonly Acceptance[], headers: Headers, asked: PaymentTerms, nowMs: number): Promise<Found | null> {
  for (const acceptance of acceptances) {
    const presented = await acceptance.read(headers, asked, nowMs)
    if (presented !== null) return { ...presented, method: acceptance.name }
  }
  return null
}

async function take({ database, now }: Calls, payment: Found, sale: Sale, walletId: number): Promise<Headers | null> {
  const settled = payment.isExpired ? null : await payment.settle().catch(() => 'unknown' as const)
  if (settled === 'unknown') {
    await doubtSale(database, sale.paymentKey, 'No answer came while the payment was taken.')
    throw unknownOutcome()
  }
  if (settled === null) {
    await dropSale(database, sale.paymentKey)
    return null
  }
  await writeDown(() => settleSale(database, sale, walletId, settled, now()))
  return settled.headers
}

/** The money is here. Writing it down again changes nothing, and a lock that is not let go keeps each attempt for half as long as it can be held. */
async function writeDown(write: () => Promise<void>, attempts = WRITE_ATTEMPTS): Promise<void> {
  try {
    await write()
  } catch (error) {
    if (attempts === 1 || !(error instanceof AppError) || error.code !== 'overloaded') throw error
    await writeDown(write, attempts - 1)
  }
}

async function ask(acceptances: readonly Acceptance[], asked: PaymentTerms, message: string): Promise<SaleAnswer> {
  const offers = await Promise.all(acceptances.map((acceptance) => acceptance.ask(asked)))
  return { kind: 'asked', headers: Object.assign({}, ...offers) as Headers, price: asked.amount, message: `${message} It costs ${formatDollars(asked.amount)}.` }
}
