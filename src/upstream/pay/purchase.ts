/**
 * Buys from a merchant that responds with 402: reads the offers, checks them, records one, and only
 * then signs. Tries once.
 */
import { createHash } from 'node:crypto'
import type { Transaction } from '../../db/database.ts'
import { AppError } from '../../errors/app-error.ts'
import type { Clock } from '../../lib/clock.ts'
import { newId, type Id } from '../../lib/ids.ts'
import type { Micros } from '../../lib/money.ts'
import type { Incoming, Outgoing } from '../exchange.ts'
import { refusalOfOffer, type Expectation, type OfferRefusal } from './check-offer.ts'
import type { Buyer, Intents, WithSigning } from './intents.ts'
import type { Offer, PaymentMethod, Receipt } from './offer.ts'

/** The operator's wallets. */
export type Wallet = {
  readonly methods: readonly PaymentMethod[]
  readonly intents: Intents
  readonly now: Clock
}

export type Order = Buyer & {
  readonly request: Outgoing
  /** Sends a request. Rejects if no complete response arrives. */
  readonly send: (request: Outgoing) => Promise<Incoming>
  readonly expected: Expectation
  readonly timeoutMs: number
  /** For a merchant named by the caller: charges the caller in the commit that precedes sending. */
  readonly charge?: (
    tx: Transaction,
    payment: { readonly id: Id; readonly offer: Offer },
  ) => Promise<void>
}

export type Payment = {
  readonly id: Id
  readonly method: string
  readonly merchant: string
  readonly amount: Micros
  readonly reference: string
  readonly challengeId: string
}

export type Purchase =
  /** The first response was not 402: nothing to pay. */
  | { readonly kind: 'free'; readonly answer: Incoming }
  /** Nothing was signed. */
  | ({ readonly kind: 'refused' } & Omit<OfferRefusal, 'kind'> & {
        readonly because: OfferRefusal['kind']
      })
  | { readonly kind: 'paid'; readonly answer: Incoming; readonly payment: Payment }
  /**
   * Signed but without a receipt: queued for the operator. `status` is the merchant's, null without
   * a complete response.
   */
  | {
      readonly kind: 'unknown'
      readonly paymentId: Id
      readonly amount: Micros
      readonly status: number | null
      readonly reason: string
    }

/** How long after the call the sweep queues an open intent. */
const GRACE_MS = 60_000

/**
 * Buys once. Rejects with the network's error if the first request fails, with AppError
 * `overloaded` if the payment cannot be recorded before sending, or with the error of `charge`.
 * Never rejects after sending: the caller must see the outcome, so that it does not pay again.
 */
export async function purchase(wallet: Wallet, order: Order): Promise<Purchase> {
  const answer = await order.send(order.request)
  if (answer.status !== 402) return { kind: 'free', answer }
  const offers = (
    await Promise.all(wallet.methods.map((method) => offersOf(method, answer, order.request)))
  ).flat()
  const chosen = choose(offers, order.expected, wallet.now())
  if ('kind' in chosen) return { ...chosen, kind: 'refused', because: chosen.kind }
  return pay(wallet, order, chosen)
}

type Choice = { readonly method: PaymentMethod; readonly offer: Offer }

/** An unreadable challenge counts as no offer. */
async function offersOf(
  method: PaymentMethod,
  answer: Incoming,
  request: Outgoing,
): Promise<Choice[]> {
  const offers = await method.offersIn(answer, request).catch(() => [])
  return offers.map((offer) => ({ method, offer }))
}

/** The cheapest payable offer; among equals, that of the first method. */
function choose(
  choices: readonly Choice[],
  expected: Expectation,
  nowMs: number,
): Choice | OfferRefusal {
  let best: Choice | undefined
  let refusal: OfferRefusal | undefined
  for (const choice of choices) {
    const why = refusalOfOffer(choice.offer, choice.method.assets, expected, nowMs)
    if (why === null && (best === undefined || choice.offer.amount < best.offer.amount))
      best = choice
    // A price above the cap is more useful to the caller than the flaw of another offer.
    if (
      why !== null &&
      (refusal === undefined || (why.kind === 'over_cap' && refusal.kind !== 'over_cap'))
    )
      refusal = why
  }
  return (
    best ??
    refusal ?? {
      kind: 'no_offer',
      reason: 'The merchant accepts no payment method of this gateway.',
      price: null,
    }
  )
}

const REASONS = {
  over_ceiling: 'The wallets of this gateway have reached their daily limit.',
  over_share:
    'The wallets of this gateway have reached their daily limit for merchants that callers choose. The rest of the daily limit is reserved for the catalog.',
  repeated: 'The merchant requested a payment that was already made.',
  too_many_open:
    'With this payment, the account would exceed the limit for payments in progress or without a receipt (PAY_OPEN_CENTS).',
} as const

async function pay(
  { intents, now }: Wallet,
  order: Order,
  { method, offer }: Choice,
): Promise<Purchase> {
  const { callId, accountId, service, action, charge } = order
  const id = newId(now())
  const verdict = await intents.open({
    id,
    callId,
    accountId,
    service,
    action,
    offer,
    deadlineMs: now() + order.timeoutMs + GRACE_MS,
    chosenByCaller: charge !== undefined,
  })
  if (verdict !== 'opened')
    return {
      kind: 'refused',
      because:
        verdict === 'over_ceiling' || verdict === 'over_share' ? 'over_ceiling' : 'unacceptable',
      reason: REASONS[verdict],
      price: offer.amount,
    }
  const headers = await offer.sign().catch(() => null)
  if (headers === null) {
    await intents.unsigned(id, 'The payment could not be signed.')
    return {
      kind: 'refused',
      because: 'unacceptable',
      reason: 'The payment could not be made.',
      price: offer.amount,
    }
  }
  const hash = createHash('sha256').update(JSON.stringify(headers)).digest('hex')
  await markSigned(intents, {
    id,
    hash,
    ...(charge === undefined
      ? {}
      : { withSigning: (tx: Transaction) => charge(tx, { id, offer }) }),
  })
  return deliver(intents, order, { method, offer, id, headers })
}

type Mark = { readonly id: Id; readonly hash: string; readonly withSigning?: WithSigning }

/**
 * An error of `charge` means that the commit was rolled back. A lost connection leaves that open.
 */
async function markSigned(intents: Intents, { id, hash, withSigning }: Mark): Promise<void> {
  try {
    await intents.signed(id, hash, withSigning)
  } catch (error) {
    if (error instanceof AppError && error.code !== 'overloaded')
      await intents.unsigned(id, error.message)
    throw error
  }
}

type Signed = Choice & { readonly id: Id; readonly headers: Readonly<Record<string, string>> }

async function deliver(
  intents: Intents,
  order: Order,
  { method, offer, id, headers }: Signed,
): Promise<Purchase> {
  const answer = await order
    .send({ ...order.request, headers: { ...order.request.headers, ...headers } })
    .catch((error: unknown) => error as Error)
  const receipt = answer instanceof Error ? null : await receiptOf(method, answer)
  if (answer instanceof Error || receipt === null) {
    const status = answer instanceof Error ? null : answer.status
    const reason =
      status === null
        ? 'No complete response arrived after the payment was sent.'
        : `The merchant responded with status ${status} without a receipt after the payment was sent.`
    return unknown(intents, { id, offer, status, reason })
  }
  const isStored = await intents.paid(id, receipt).then(
    () => true,
    () => false,
  )
  if (!isStored)
    return unknown(intents, {
      id,
      offer,
      status: answer.status,
      reason: 'The merchant was paid, but its receipt could not be stored.',
    })
  const { method: name, realm: merchant, amount, challengeId } = offer
  return {
    kind: 'paid',
    answer,
    payment: { id, method: name, merchant, amount, reference: receipt.reference, challengeId },
  }
}

/** If even this cannot be recorded, the sweep queues the payment after its deadline. */
async function unknown(
  intents: Intents,
  {
    id,
    offer,
    status,
    reason,
  }: Pick<Signed, 'id' | 'offer'> & { readonly status: number | null; readonly reason: string },
): Promise<Purchase> {
  await intents.unknown(id, reason).catch(() => undefined)
  return { kind: 'unknown', paymentId: id, amount: offer.amount, status, reason }
}

/** Only successful responses have receipts. */
async function receiptOf(method: PaymentMethod, answer: Incoming): Promise<Receipt | null> {
  if (answer.status < 200 || answer.status > 299) return null
  return method.receiptIn(answer).catch(() => null)
}
