import type { Database, Transaction } from '../db/database.ts'
import { AppError } from '../errors/app-error.ts'
import { postCredit } from '../ledger/credit.ts'
import type { Clock } from '../lib/clock.ts'
import { newId, parsePublicId, type Id } from '../lib/ids.ts'
import { wholeCents } from '../lib/money.ts'
import { applyKeptReversals } from './card-reversals.ts'
import type { CardReversal, FailedRefund, UnreadCardEvent } from './cards/card-notices.ts'

/** A payment confirmed by Stripe. */
export type CardPayment = {
  readonly kind: 'paid'
  readonly reference: string
  readonly account: string
  readonly cents: number
  /** The id by which refunds and disputes name it. */
  readonly intent: string | null
  /** The automatic top-up that it belongs to; null for a checkout. */
  readonly topup: string | null
}

export type Card = { readonly brand: string; readonly last4: string }

/** A card that can be charged while its holder is away. The ids are Stripe's. */
export type SavedCard = Card & { readonly customer: string; readonly method: string }

export type CheckoutState = {
  readonly status: 'open' | 'complete' | 'expired'
  readonly payment: CardPayment | null
  readonly card: Card | null
  readonly saved: SavedCard | null
}

export type TopupCharge = {
  readonly account: string
  readonly cents: number
  readonly customer: string
  readonly method: string
  readonly topup: string
}

export type ChargeOutcome =
  | { readonly kind: 'paid'; readonly payment: CardPayment }
  | { readonly kind: 'pending' }
  | { readonly kind: 'failed'; readonly reason: ChargeFailure }

export type ChargeFailure = 'declined' | 'authentication_required' | 'rejected'

/** Sells credit by card. Stripe shows the card form and notifies the gateway of the payment. */
export type CardDesk = {
  /** The price of each pack and the credit that it contains, in cents. */
  readonly packs: readonly number[]
  /** The least and the most cents of other amounts. */
  readonly range: readonly [number, number]
  /** The name of the operator on receipts. */
  readonly seller: string
  /** Opens a checkout. Throws AppError. */
  open(request: {
    readonly account: string
    readonly cents: number
    readonly successUrl: string
    readonly cancelUrl: string
    readonly savesCard: boolean
  }): Promise<{ readonly session: string; readonly url: string }>
  /** The present state of a checkout. Throws AppError. */
  find(session: string): Promise<CheckoutState>
  /** Charges a saved card, once for each top-up. Throws AppError when the outcome is unknown. */
  charge(request: TopupCharge): Promise<ChargeOutcome>
  /** The charge of a top-up; null when it was never charged. Throws AppError. */
  findCharge(request: Pick<TopupCharge, 'customer' | 'topup'>): Promise<ChargeOutcome | null>
  /** Reads a notification; null for events without effect here. Throws AppError bad_request when the signature or the mode is invalid. */
  read(
    payload: Buffer,
    signature: string | undefined,
    nowMs: number,
  ): CardPayment | CardReversal | FailedRefund | UnreadCardEvent | null
  /** Reports a payment that was credited after its account had been closed, so that the credit cannot be spent. */
  reportClosed(payment: CardPayment): void
  /** Reports an event about money of this gateway that is stored for the operator. */
  reportUnread(event: UnreadCardEvent): void
}

type CreditDeps = {
  readonly database: Database
  readonly now: Clock
  readonly cards: Pick<CardDesk, 'reportClosed'>
}

/**
 * Adds the payment to the account's balance, exactly once for any number of notifications from the
 * webhook, the payment page and the sweeps. In the same commit, its checkout or top-up ends. Returns
 * whether this was the first notification.
 */
export async function creditCardPayment(
  { database, now, cards }: CreditDeps,
  payment: CardPayment,
): Promise<boolean> {
  const { reference, account, cents, intent, topup } = payment
  const accountId = parsePublicId('account', account)
  const nowMs = now()
  const id = newId(nowMs)
  const amount = wholeCents(cents)
  const { isNew, isClosed } = await database.transaction(async (tx) => {
    const { rows } = await tx.query<{ id: bigint }>(
      "select id from wallets where account_id = $1 and mode = 'live'",
      [accountId],
    )
    const wallet = rows[0]
    if (accountId === null || wallet === undefined)
      throw new AppError('not_found', 'A card payment names an unknown account.', {
        fix: 'Look up the payment at Stripe. Refund it there, or grant the credit by hand.',
      })
    const { count } = await tx.query(
      'insert into card_payments (reference, account_id, transaction_id, amount_micros, credited_at, intent, source) values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing',
      [
        reference,
        accountId,
        id,
        amount,
        new Date(nowMs),
        intent,
        topup === null ? 'checkout' : 'automatic',
      ],
    )
    if (count === 0) return { isNew: false, isClosed: false }
    await postCredit(tx, {
      id,
      walletId: Number(wallet.id),
      kind: 'topup',
      amount,
      nowMs,
      reference,
    })
    if (topup === null) await endCheckout(tx, reference, nowMs)
    else if (IS_ID.test(topup)) await endTopup(tx, accountId, { topup, reference })
    if (intent !== null) await applyKeptReversals(tx, intent, nowMs)
    // A paused account can be resumed, so its credit is not lost.
    const open = await tx.query(
      "select from keys join budgets on budgets.id = keys.id where account_id = $1 and mode = 'live' and is_primary and state <> 'closed'",
      [accountId],
    )
    return { isNew: true, isClosed: open.count === 0 }
  })
  if (isClosed) cards.reportClosed(payment)
  return isNew
}

const IS_ID = /^[0-9a-f]{32}$/

// The card of the payment is read next.
async function endCheckout(tx: Transaction, session: string, nowMs: number): Promise<void> {
  await tx.query(
    "update checkouts set status = 'credited', ask_ms = $2, asked = 0 where session = $1 and status in ('open', 'expired')",
    [session, nowMs],
  )
}

async function endTopup(
  tx: Transaction,
  accountId: Id,
  { topup, reference }: { readonly topup: string; readonly reference: string },
): Promise<void> {
  await tx.query("update topups set status = 'paid' where id = $1 and account_id = $2", [
    topup,
    accountId,
  ])
  await tx.query(
    `update card_payments set brand = auto_topups.brand, last4 = auto_topups.last4
     from topups join auto_topups on auto_topups.account_id = topups.account_id and auto_topups.method = topups.method
     where reference = $1 and topups.id = $2 and topups.account_id = $3`,
    [reference, topup, accountId],
  )
  await tx.query(
    'update auto_topups set failures = 0, next_ms = 0 where account_id = $1 and is_on',
    [accountId],
  )
}
