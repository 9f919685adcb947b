import { NO_MARGIN, withMargin, withoutMargin } from '../../catalog/prices/margin.ts'
import type { HopReceipt } from '../../catalog/vocabulary/handlers.ts'
import { realmOf } from '../../catalog/vocabulary/merchant.ts'
import type { Margin } from '../../catalog/vocabulary/tariff.ts'
import { failed, type Failed, type Outcome } from '../../catalog/vocabulary/outcome.ts'
import { AppError } from '../../errors/app-error.ts'
import { maxMicros, toCentsRoundedDown, toCentsRoundedUp, type Micros } from '../../lib/money.ts'
import { exchange } from '../../upstream/exchange.ts'
import type { OfferRefusal } from '../../upstream/pay/check-offer.ts'
import type { Buyer } from '../../upstream/pay/intents.ts'
import { purchase, type Payment, type Purchase, type Wallet } from '../../upstream/pay/purchase.ts'
import type { Target } from '../../upstream/target.ts'
import type { WalletLane } from '../lanes/lane-parts.ts'

/** The payments of one call, or of one step, to a merchant. */
export type PaymentSession = {
  /** The merchant. Its exchange pays a price that it asks for. */
  readonly target: Target
  /** Why the gateway signed no payment. */
  refusal(): OfferRefusal | null
  /** The failure of the purchase itself. */
  failure(): Failed | null
  /** The outcome at the price that was paid. */
  priced(outcome: Outcome): Outcome
  receipts(): readonly HopReceipt[]
}

type SessionOptions = {
  readonly wallet: Wallet
  readonly lane: WalletLane
  readonly buyer: Buyer
  /** The most that the call may cost its caller, with the margin. */
  readonly most: Micros
  readonly margin?: Margin | undefined
  readonly timeoutMs: number
}

/** After a payment without a receipt, the session buys nothing more. */
export function openPaymentSession({
  wallet,
  lane,
  buyer,
  most: allowed,
  margin = NO_MARGIN,
  timeoutMs,
}: SessionOptions): PaymentSession {
  const payments: Payment[] = []
  const most = withoutMargin(allowed, margin)
  let refusal: OfferRefusal | null = null
  let failure: Failed | null = null
  const paid = (): Micros => payments.reduce((sum, { amount }) => sum + amount, 0n)
  const { at } = lane.source
  const recipient = at.recipient === undefined ? {} : { recipient: at.recipient }

  const target: Target = {
    ...lane.target,
    async exchange(request, limits) {
      const expected = {
        cap: maxMicros(0n, most - paid()),
        realm: realmOf(at),
        methods: [at.method],
        ...recipient,
      }
      const bought = await purchase(wallet, {
        ...buyer,
        request,
        timeoutMs,
        expected,
        send: (outgoing) => exchange(lane.target.dispatcher, outgoing, limits),
      })
      if (bought.kind === 'free') return bought.answer
      if (bought.kind === 'paid') {
        payments.push(bought.payment)
        return bought.answer
      }
      if (bought.kind === 'refused')
        refusal = { kind: bought.because, reason: bought.reason, price: bought.price }
      failure = purchaseFailure(priceFor(bought, margin), buyer, allowed)
      throw new AppError('upstream_payment')
    },
  }
  return {
    target,
    refusal: () => refusal,
    failure: () => failure,
    priced: (outcome) => (outcome.kind === 'failed' ? outcome : { ...outcome, paid: paid() }),
    receipts: () => payments.map(toReceipt),
  }
}

export function toReceipt({
  merchant,
  method,
  reference,
  challengeId,
  amount,
}: Payment): HopReceipt {
  return { merchant, method, reference, challenge_id: challengeId, amount_micros: Number(amount) }
}

/** The refusal with the price that the caller would pay. */
function priceFor(bought: Unpaid, margin: Margin): Unpaid {
  return bought.kind === 'unknown' || bought.price === null
    ? bought
    : { ...bought, price: withMargin(bought.price, margin) }
}

type Unpaid = Extract<Purchase, { kind: 'refused' | 'unknown' }>

/** The failure for a caller who allowed `most`. Nothing is charged. */
export function purchaseFailure(
  bought: Unpaid,
  { service }: Pick<Buyer, 'service'>,
  most: Micros,
): Failed {
  if (bought.kind === 'unknown') {
    const upstream = { service, status: bought.status, code: null, message: null }
    return failed(
      'payment_unknown',
      `${bought.reason} The operator of this gateway will check it. Nothing was charged.`,
      { upstream },
    )
  }
  const { because, reason, price } = bought
  const details =
    price === null
      ? undefined
      : { price_cents: toCentsRoundedUp(price), price_micros: Number(price) }
  if (because !== 'over_cap')
    return failed('upstream_payment', `${reason} Nothing was paid or charged.`, details)
  const fix =
    price === null
      ? undefined
      : `Raise max_cost_cents to at least ${toCentsRoundedUp(price)}, if the action allows it.`
  return {
    ...failed('max_cost_exceeded', `${reason} Nothing was paid or charged.`, {
      ...details,
      max_cost_cents: toCentsRoundedDown(most),
    }),
    ...(fix === undefined ? {} : { param: 'max_cost_cents', fix }),
  }
}
