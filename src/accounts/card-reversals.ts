/** Refunds and disputes: the gateway takes the reversed amount from the account's available credit. The rest is owed and taken from credit that becomes available later. */
import type { Database, Transaction } from '../db/database.ts'
import { AppError, invariant } from '../errors/app-error.ts'
import { postCredit, takeFreeCredit } from '../ledger/credit.ts'
import type { Clock } from '../lib/clock.ts'
import { newId, type Id } from '../lib/ids.ts'
import { wholeCents, type Micros } from '../lib/money.ts'
import type { CardReversal, FailedRefund } from './cards/card-notices.ts'
import { keepReversal, takeReversals } from './cards/kept-events.ts'

type Reversed = { readonly reversed: Micros }

type Parts = { readonly database: Database; readonly now: Clock }

const MOST_AT_ONCE = 100

/**
 * Returns the amount taken from the account now (negative when returned to it), or null for a payment that
 * is unknown: the reversal then waits for it. A new reversal turns automatic top-ups off. Exact for
 * repeated, late and concurrent notifications. Throws AppError not_found for an unknown payment that was
 * certainly for credit here, so that the processor repeats the notification.
 */
export async function reverseCardPayment(
  { database, now }: Parts,
  reversal: CardReversal | FailedRefund,
): Promise<Micros | null> {
  const taken = await database.transaction(async (tx) => {
    const applied = await applyReversal(tx, reversal, now())
    if (applied === null) await keepReversal(tx, reversal, now())
    return applied
  })
  if (taken === null && reversal.isOurs)
    throw new AppError('not_found', 'A refund names an unknown payment.', {
      fix: 'Resend the event of the payment from Stripe. The gateway then applies the refund.',
    })
  return taken
}

/** Applies the reversals that arrived before a payment, in the commit that credits it or later. */
export async function applyKeptReversals(
  tx: Transaction,
  intent: string,
  nowMs: number,
): Promise<void> {
  for (const reversal of await takeReversals(tx, intent)) await applyReversal(tx, reversal, nowMs)
}

/** Null for an unknown payment. */
async function applyReversal(
  tx: Transaction,
  reversal: CardReversal | FailedRefund,
  nowMs: number,
): Promise<Micros | null> {
  const { rows } = await tx.query<Reversed & { reference: string; account_id: Id }>(
    'select reference, account_id, reversed_micros as reversed from card_payments where intent = $1 for update',
    [reversal.intent],
  )
  const [payment] = rows
  if (payment === undefined) return null
  await (reversal.kind === 'reversed' ? storeReversal : storeFailure)(
    tx,
    payment.reference,
    reversal as CardReversal & FailedRefund,
    nowMs,
  )
  // A total of a charge that is older than a failed refund still contains it.
  const after = await tx.query<Reversed>(
    `update card_payments set reversed_micros = least(amount_micros, (
       select coalesce(sum(greatest(0, reversed_micros - case when reason = 'dispute' then 0 else
         (select coalesce(sum(amount_micros), 0) from card_failed_refunds where card_failed_refunds.payment = $1 and at_s >= as_of_s) end)), 0)
       from card_reversals where card_reversals.payment = $1)) where reference = $1 returning reversed_micros as reversed`,
    [payment.reference],
  )
  const taken = await settleUp(tx, payment.reference, nowMs)
  // Otherwise the lower balance would charge the same card again. After the wallet, in the lock order of payments.
  if (reversal.kind === 'reversed' && (after.rows[0]?.reversed ?? 0n) > payment.reversed)
    await tx.query(
      'update auto_topups set is_on = false, off_because = $2 where account_id = $1 and is_on',
      [payment.account_id, reversal.reason],
    )
  return taken
}

async function storeReversal(
  tx: Transaction,
  payment: string,
  { reference, cents, isFinal, reason, atSeconds }: CardReversal,
  nowMs: number,
): Promise<void> {
  // The total of a charge falls when a refund fails, so the newest one counts. Others only rise.
  await tx.query(
    `insert into card_reversals (reference, payment, reversed_micros, is_final, reason, updated_ms, as_of_s) values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (reference) do update set is_final = excluded.is_final, updated_ms = excluded.updated_ms,
       as_of_s = greatest(card_reversals.as_of_s, excluded.as_of_s),
       reversed_micros = case
         when excluded.is_final then excluded.reversed_micros
         when excluded.reason = 'refund' and excluded.as_of_s > card_reversals.as_of_s then excluded.reversed_micros
         when excluded.reason = 'refund' and excluded.as_of_s < card_reversals.as_of_s then card_reversals.reversed_micros
         else greatest(card_reversals.reversed_micros, excluded.reversed_micros) end
     where not card_reversals.is_final`,
    [reference, payment, wholeCents(cents), isFinal, reason, nowMs, atSeconds],
  )
}

async function storeFailure(
  tx: Transaction,
  payment: string,
  { reference, cents, atSeconds }: FailedRefund,
): Promise<void> {
  await tx.query(
    'insert into card_failed_refunds (reference, payment, amount_micros, at_s) values ($1, $2, $3, $4) on conflict do nothing',
    [reference, payment, wholeCents(cents), atSeconds],
  )
}

/** Collects owed amounts from credit that became available. Returns the number of payments. */
export async function collectReversals({ database, now }: Parts): Promise<number> {
  await applyLateReversals({ database, now })
  const { rows } = await database.query<{ reference: string }>(
    `select reference from card_payments join wallets on wallets.account_id = card_payments.account_id and mode = 'live'
     where reversed_micros > taken_back_micros and balance_micros > held_micros order by random() limit ${MOST_AT_ONCE}`,
  )
  for (const { reference } of rows) {
    await database.transaction(async (tx) => {
      await tx.query('select from card_payments where reference = $1 for update', [reference])
      await settleUp(tx, reference, now())
    })
  }
  return rows.length
}

/** Applies reversals that arrived while their payment was being credited. */
async function applyLateReversals({ database, now }: Parts): Promise<void> {
  const { rows } = await database.query<{ intent: string }>(
    `select distinct intent from kept_card_events join card_payments using (intent) where reversal is not null limit ${MOST_AT_ONCE}`,
  )
  for (const { intent } of rows)
    await database.transaction((tx) => applyKeptReversals(tx, intent, now()))
}

/** The amounts that accounts owe, for the operator. */
export async function owedReversals(
  database: Database,
): Promise<{ readonly payments: number; readonly owed: Micros }> {
  const { rows } = await database.query<{ payments: bigint; owed: bigint }>(
    'select count(*) as payments, coalesce(sum(reversed_micros - taken_back_micros), 0)::bigint as owed from card_payments where reversed_micros > taken_back_micros',
  )
  return { payments: Number(rows[0]?.payments ?? 0n), owed: rows[0]?.owed ?? 0n }
}

/** Moves credit until the amount taken equals the amount reversed, or no credit is available. The payment is locked. */
async function settleUp(tx: Transaction, payment: string, nowMs: number): Promise<Micros> {
  const { rows } = await tx.query<{ due: bigint; wallet_id: bigint }>(
    `select reversed_micros - taken_back_micros as due, wallets.id as wallet_id from card_payments join wallets on wallets.account_id = card_payments.account_id and mode = 'live' where reference = $1`,
    [payment],
  )
  const [row] = rows
  invariant(row !== undefined, 'a card payment was credited to a wallet')
  if (row.due === 0n) return 0n
  const movement = {
    id: newId(nowMs),
    walletId: Number(row.wallet_id),
    nowMs,
    reference: payment,
    kind: 'card_refund',
  } as const
  if (row.due < 0n) await postCredit(tx, { ...movement, amount: -row.due })
  const moved = row.due < 0n ? row.due : await takeFreeCredit(tx, { ...movement, most: row.due })
  await tx.query(
    'update card_payments set taken_back_micros = taken_back_micros + $2 where reference = $1',
    [payment, moved],
  )
  return moved
}
