/** Refunds and disputes: the gateway takes the reversed amount from the account's available credit. The rest is owed and taken from credit that becomes available later. */
import type { Database, Transaction } from '../db/database.ts'
import { AppError, invariant } from '../errors/app-error.ts'
import { postCredit, takeFreeCredit } from '../ledger/credit.ts'
import type { Clock } from '../lib/clock.ts'
import { newId, type Id } from '../lib/ids.ts'
import { wholeCents, type Micros } from '../lib/money.ts'

/** The total that Stripe has reversed for a payment so far: all refunds, or one dispute. */
export type CardReversal = {
  readonly kind: 'reversed'
  readonly reference: string
  readonly intent: string
  readonly cents: number
  /** Later notifications of this reference are older than this one. */
  readonly isFinal: boolean
  /** The payment was certainly for credit of this gateway. */
  readonly isOurs: boolean
  readonly reason: 'refund' | 'dispute'
}

type Reversed = { readonly reversed: Micros }

type Parts = { readonly database: Database; readonly now: Clock }

const MOST_AT_ONCE = 100

/** Returns the amount taken from the account now (negative when returned to it), or null for a payment that was not for credit here. A new reversal turns automatic top-ups off. Exact for repeated, late and concurrent notifications. */
export async function reverseCardPayment(
  { database, now }: Parts,
  { reference, intent, cents, isFinal, isOurs, reason }: CardReversal,
): Promise<Micros | null> {
  return database.transaction(async (tx) => {
    const { rows } = await tx.query<Reversed & { reference: string; account_id: Id }>(
      'select reference, account_id, reversed_micros as reversed from card_payments where intent = $1 for update',
      [intent],
    )
    const [payment] = rows
    if (payment === undefined) {
      if (isOurs)
        throw new AppError('not_found', 'A refund names an unknown payment.', {
          fix: 'Resend the event of the payment from Stripe, then that of the refund.',
        })
      return null
    }
    await tx.query(
      `insert into card_reversals (reference, payment, reversed_micros, is_final, reason, updated_ms) values ($1, $2, $3, $4, $5, $6)
       on conflict (reference) do update set is_final = excluded.is_final, updated_ms = excluded.updated_ms,
         reversed_micros = case when excluded.is_final then excluded.reversed_micros else greatest(card_reversals.reversed_micros, excluded.reversed_micros) end
       where not card_reversals.is_final`,
      [reference, payment.reference, wholeCents(cents), isFinal, reason, now()],
    )
    const after = await tx.query<Reversed>(
      'update card_payments set reversed_micros = least(amount_micros, (select sum(reversed_micros) from card_reversals where payment = $1)) where reference = $1 returning reversed_micros as reversed',
      [payment.reference],
    )
    const taken = await settleUp(tx, payment.reference, now())
    // Otherwise the lower balance would charge the same card again. After the wallet, in the lock order of payments.
    if ((after.rows[0]?.reversed ?? 0n) > payment.reversed)
      await tx.query(
        'update auto_topups set is_on = false, off_because = $2 where account_id = $1 and is_on',
        [payment.account_id, reason],
      )
    return taken
  })
}

/** Collects owed amounts from credit that became available. Returns the number of payments. */
export async function collectReversals({ database, now }: Parts): Promise<number> {
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
