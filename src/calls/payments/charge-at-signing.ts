/**
 * Calls that pay a merchant of the caller's choice. The caller may be that merchant, so the call is charged in the commit
 * that marks its payment as signed, before the payment is sent:
 * - a payment that may have been sent is charged, whatever the merchant answers and whether or not this process lives on;
 * - live keys pay from bought credit alone;
 * - a hold that is gone by then stops the payment.
 */
import type { HopReceipt } from '../../catalog/vocabulary/handlers.ts'
import { toHop } from '../../catalog/prices/hop.ts'
import type { Database, Transaction } from '../../db/database.ts'
import { AppError } from '../../errors/app-error.ts'
import { assertHeld } from '../../ledger/assert-held.ts'
import { resolveFromBought } from '../../ledger/bought.ts'
import type { Hold, Resolution, WalletState } from '../../ledger/hold.ts'
import { resolveWithin } from '../../ledger/within.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Id, LeaseNumber } from '../../lib/ids.ts'
import { formatDollars, type Micros } from '../../lib/money.ts'
import type { Mode } from '../../lib/mode.ts'
import type { Offer } from '../../upstream/pay/offer.ts'
import { storedFailure, type StoredAnswer } from '../idempotency/answers.ts'

type Parts = {
  readonly hold: Hold
  readonly mode: Mode
  readonly startedMs: number
  readonly now: Clock
}

/** Ends the hold with a charge of what the offer asks, and notes on the payment that it was charged. */
export function chargeAtSigning({
  hold,
  mode,
  startedMs,
  now,
}: Parts): (tx: Transaction, payment: { readonly id: Id; readonly offer: Offer }) => Promise<void> {
  return async (tx, { id, offer }) => {
    const nowMs = now()
    const receipt = {
      merchant: offer.realm,
      method: offer.method,
      reference: '',
      challenge_id: offer.challengeId,
      amount_micros: Number(offer.amount),
    }
    const resolution: Resolution = {
      hold,
      charge: offer.amount,
      latencyMs: nowMs - startedMs,
      errorCode: null,
      hops: hopsOf(hold, { receipt, latencyMs: nowMs - startedMs }),
      ...(hold.claim === null
        ? {}
        : {
            answer: storedFailure(
              new AppError('idempotency_in_progress', undefined, { retryAfterSeconds: 1 }),
            ),
          }),
    }
    const verdict =
      mode === 'live'
        ? await resolveFromBought(tx, resolution, nowMs)
        : (await resolveWithin(tx, resolution, nowMs)).verdict
    if (verdict === 'gone') assertHeld({ charged: 0n, expired: true, wallet: null })
    await tx.query('update payments set charged_wallet = $2, awaits_answer = $3 where id = $1', [
      id,
      hold.walletId,
      hold.claim !== null,
    ])
  }
}

/** One line for the purchase. The reference is empty until the merchant has given a receipt. */
export function hopsOf(
  { service, action }: Pick<Hold, 'service' | 'action'>,
  { receipt, latencyMs }: { readonly receipt: HopReceipt; readonly latencyMs: number },
): string {
  return JSON.stringify([
    {
      ...toHop(
        { service: { id: service }, name: action },
        { ok: receipt.reference !== '', charge: BigInt(receipt.amount_micros), latencyMs },
      ),
      receipt,
    },
  ])
}

/** Stores what a call that was charged at signing came to: its response for replay, and the merchant's receipt. Amounts are posted already. Repeats safely. Returns the wallet as it stands now. */
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

/** The failure of a call whose payment was charged and brought no response. */
export function chargedWithoutResponse(
  reason: string,
  charged: Micros,
  status: number | null,
): AppError {
  return new AppError(
    'payment_unknown',
    `${reason} ${formatDollars(charged)} was charged, because the payment had been signed. The operator of this gateway looks it up and refunds it if the merchant did not take it.`,
    {
      chargedMicros: Number(charged),
      details: { upstream: { service: 'web', status, code: null, message: null } },
    },
  )
}

const GIVEN_UP =
  'The gateway stopped after it had sent a payment for this request, before it stored the response.'

/** For calls whose process ended before it stored a response: their idempotency keys answer that the payment was charged. Returns how many. */
export function answerInterrupted(database: Database, lease: LeaseNumber): Promise<number> {
  return answerAll(database, 'right(call_id::text, 6) = $1', lease)
}

/** The same for processes whose lease no other process ended, once their payments' time is over. */
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
      const { status, body } = storedFailure(chargedWithoutResponse(GIVEN_UP, amount, null))
      await tx.query('update answers set status = $2, body = $3 where call_id = $1', [
        id,
        status,
        body,
      ])
    }
    return rows.length
  })
}
