/**
 * Calls that pay a merchant chosen by the caller. The caller can be that merchant, so one commit
 * charges the call and marks its payment as signed, before the payment is sent:
 * - A payment that may have been sent is charged, even if the merchant fails or this process dies.
 * - Live keys pay from bought credit only.
 * - If the hold has ended by then, nothing is paid.
 */
import type { Hop, HopReceipt } from '../../catalog/vocabulary/handlers.ts'
import { toHop } from '../../catalog/prices/hop.ts'
import type { Database, Transaction } from '../../db/database.ts'
import { AppError } from '../../errors/app-error.ts'
import { toStoredFailure } from '../../errors/stored-failure.ts'
import type { Hold, WalletState } from '../../ledger/hold.ts'
import type { Id, LeaseNumber } from '../../lib/ids.ts'
import { formatDollars, type Micros } from '../../lib/money.ts'
import type { Mode } from '../../lib/mode.ts'
import type { Offer } from '../../upstream/pay/offer.ts'
import type { HeldCall } from '../charge.ts'
import type { StoredAnswer } from '../idempotency/answers.ts'

type SignedPayment = { readonly id: Id; readonly offer: Offer }

/** Returns a step of the signing transaction. It charges the price of the offer and marks the payment as charged. */
export function chargeAtSigning(
  held: HeldCall,
  mode: Mode,
): (tx: Transaction, payment: SignedPayment) => Promise<void> {
  return async (tx, { id, offer }) => {
    const { claim, walletId } = held.hold
    const hop = purchaseHop(held, {
      merchant: offer.realm,
      method: offer.method,
      reference: '',
      challenge_id: offer.challengeId,
      amount_micros: Number(offer.amount),
    })
    // A repeated request waits until the response is stored.
    const answer = toStoredFailure(
      new AppError('idempotency_in_progress', undefined, { retryAfterSeconds: 1 }),
    )
    await held.settleWithin(tx, offer.amount, answer, { hops: [hop], boughtOnly: mode === 'live' })
    await tx.query('update payments set charged_wallet = $2, awaits_answer = $3 where id = $1', [
      id,
      walletId,
      claim !== null,
    ])
  }
}

/** The receipt line of a purchase. `reference` is empty until the merchant sends its receipt. */
export function purchaseHop({ hold, latencyMs }: HeldCall, receipt: HopReceipt): Hop {
  const made = {
    ok: receipt.reference !== '',
    charge: BigInt(receipt.amount_micros),
    latencyMs,
  }
  return { ...toHop({ service: { id: hold.service }, name: hold.action }, made), receipt }
}

/** Stores the response of a call that was charged at signing, and the merchant's receipt lines. Amounts are posted already, so it repeats safely. Returns the current wallet. */
export async function storeResponse(
  database: Database,
  { id, walletId }: Pick<Hold, 'id' | 'walletId'>,
  { status, body }: StoredAnswer,
  hops: string | null,
): Promise<WalletState | null> {
  return database.transaction(async (tx) => {
    await tx.query(
      'update payments set awaits_answer = false where call_id = $1 and awaits_answer',
      [id],
    )
    await tx.query('update answers set status = $2, body = $3 where call_id = $1', [
      id,
      status,
      body,
    ])
    if (hops !== null)
      await tx.query('update transactions set hops = $3 where wallet_id = $1 and id = $2', [
        walletId,
        id,
        hops,
      ])
    const { rows } = await tx.query<WalletState>(
      'select balance_micros as balance, held_micros as held from wallets where id = $1',
      [walletId],
    )
    return rows[0] ?? null
  })
}

/** The failure of a call whose payment was charged without a response. */
export function chargedWithoutResponse(
  reason: string,
  charged: Micros,
  status: number | null,
): AppError {
  return new AppError(
    'payment_unknown',
    `${reason} ${formatDollars(charged)} was charged, because the payment had been signed. The operator of this gateway will check it and refund it if the merchant did not take it.`,
    {
      chargedMicros: Number(charged),
      details: { upstream: { service: 'web', status, code: null, message: null } },
    },
  )
}

const GIVEN_UP =
  'The gateway stopped after it had sent a payment for this request, before it stored the response.'

/** Ends the idempotency keys of calls whose process died before it stored a response: they return that the payment was charged. Returns the number of keys. */
export function answerInterrupted(database: Database, lease: LeaseNumber): Promise<number> {
  return answerAll(database, 'right(call_id::text, 6) = $1', lease)
}

/** The same after the deadline of the payment, for processes whose lease no other process ended. */
export function sweepUnanswered(database: Database, nowMs: number): Promise<number> {
  return answerAll(database, 'deadline_ms < $1', nowMs)
}

async function answerAll(
  database: Database,
  condition: 'right(call_id::text, 6) = $1' | 'deadline_ms < $1',
  value: LeaseNumber | number,
): Promise<number> {
  return database.transaction(async (tx) => {
    const { rows } = await tx.query<{ call_id: Id; amount: bigint }>(
      `update payments set awaits_answer = false where awaits_answer and ${condition} returning call_id, amount_micros as amount`,
      [value],
    )
    for (const { call_id: id, amount } of rows) {
      const { status, body } = toStoredFailure(chargedWithoutResponse(GIVEN_UP, amount, null))
      await tx.query('update answers set status = $2, body = $3 where call_id = $1', [
        id,
        status,
        body,
      ])
    }
    return rows.length
  })
}
