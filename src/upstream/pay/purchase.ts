/** Buying from a merchant that answers 402: read what it asks, check it, write it down, only then sign; one attempt. */
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
  /** Sends a request; rejects when no whole answer comes. */
  readonly send: (request: Outgoing) => Promise<Incoming>
  readonly expected: Expectation
  readonly timeoutMs: number
  /** For a merchant that the caller named: charges the caller in the commit that precedes the sending. */
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
  /** The first answer was not 402: nothing to pay. */
  | { readonly kind: 'free'; readonly answer: Incoming }
  /** Nothing was signed. */
  | ({ readonly kind: 'refused' } & Omit<OfferRefusal, 'kind'> & {
        readonly because: OfferRefusal['kind']
      })
  | { readonly kind: 'paid'; readonly answer: Incoming; readonly payment: Payment }
  /** Signed, and without a receipt: in the queue. `status` is what the merchant answered, null when nothing whole came. */
  | {
      readonly kind: 'unknown'
      readonly paymentId: Id
      readonly amount: Micros
      readonly status: number | null
      readonly reason: string
    }

/** The intent outlives the call by this much before the sweep queues it. */
const GRACE_MS = 60_000

/**
 * Rejects with the network's error when the first request fails, and with AppError overloaded when the payment cannot be
 * written down before it is sent, or with what `charge` throws. Never after that: whoever asks again must be told, and not pay again.
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

/** A challenge that cannot be read is one that cannot be paid. */
async function offersOf(
  method: PaymentMethod,
  answer: Incoming,
  request: Outgoing,
): Promise<Choice[]> {
  const offers = await method.offersIn(answer, request).catch(() => [])
  return offers.map((offer) => ({ method, offer }))
}

/** The cheapest of what may be paid; among equals the method that stands first. */
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
    // A price that is too high says more to the caller than a flaw of another offer.
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
      reason: 'The merchant asks for a payment in no way that this gateway can pay.',
      price: null,
    }
  )
}

const REASONS = {
  over_ceiling: 'The wallets of this gateway have paid out what they may today.',
  over_share:
    'The wallets of this gateway have paid out what they may today to merchants that callers choose. The rest of the daily limit is reserved for the catalog.',
  repeated: 'The merchant asked for a payment that was made already.',
  too_many_open:
    'With this payment the account would have more under way, or waiting without a receipt for a look by the operator, than this gateway allows (PAY_OPEN_CENTS).',
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

/** A refused charge was rolled back for certain, unlike a commit whose connection broke. */
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
        ? 'No whole answer came after the payment was sent.'
        : `The merchant answered ${status} without a receipt after the payment was sent.`
    return unknown(intents, { id, offer, status, reason })
  }
  const isKept = await intents.paid(id, receipt).then(
    () => true,
    () => false,
  )
  if (!isKept)
    return unknown(intents, {
      id,
      offer,
      status: answer.status,
      reason: 'The merchant was paid, and its receipt could not be stored.',
    })
  const { method: name, realm: merchant, amount, challengeId } = offer
  return {
    kind: 'paid',
    answer,
    payment: { id, method: name, merchant, amount, reference: receipt.reference, challengeId },
  }
}

/** Where not even that can be written down, the sweep queues the payment after its time. */
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

/** Receipts come with successes alone. */
async function receiptOf(method: PaymentMethod, answer: Incoming): Promise<Receipt | null> {
  if (answer.status < 200 || answer.status > 299) return null
  return method.receiptIn(answer).catch(() => null)
}
