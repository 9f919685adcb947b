import type { Database } from '../../db/database.ts'
import { AppError } from '../../errors/app-error.ts'
import { toRfc3339 } from '../../lib/clock.ts'
import { parsePublicId, publicId, type Id } from '../../lib/ids.ts'
import type { Card } from '../card-desk.ts'

export type Reversal = {
  readonly reason: 'refund' | 'dispute'
  readonly amountMicros: number
  /** Null for reversals before the gateway recorded their time. */
  readonly at: string | null
}

export type Payment = {
  /** The transaction of the credit (tx_…); it names the receipt. */
  readonly id: string
  readonly number: string
  /** The processor's reference. */
  readonly reference: string
  readonly source: 'checkout' | 'automatic'
  readonly amountMicros: number
  /** Refunded or disputed. */
  readonly reversedMicros: number
  readonly at: string
  readonly card: Card | null
  readonly reversals: readonly Reversal[]
}

const MOST_LISTED = 100

type Row = {
  transaction_id: Id
  reference: string
  source: Payment['source']
  amount: bigint
  reversed: bigint
  credited_at: Date
  brand: string | null
  last4: string | null
  reversals: readonly { reason: Reversal['reason']; amount: number; ms: number }[] | null
}

const PAYMENTS = `select transaction_id, reference, source, amount_micros as amount, reversed_micros as reversed, credited_at, brand, last4,
  (select json_agg(json_build_object('reason', reason, 'amount', card_reversals.reversed_micros, 'ms', updated_ms) order by updated_ms)
   from card_reversals where payment = card_payments.reference and card_reversals.reversed_micros > 0) as reversals
  from card_payments`

/** The latest card payments of an account, newest first. */
export async function listPayments(database: Database, accountId: Id): Promise<readonly Payment[]> {
  const { rows } = await database.query<Row>(
    `${PAYMENTS} where account_id = $1 order by credited_at desc, transaction_id desc limit ${MOST_LISTED}`,
    [accountId],
  )
  return rows.map(paymentOf)
}

/** A payment by the id of its transaction. Throws AppError not_found, also for those of other accounts. */
export async function findPayment(database: Database, accountId: Id, id: string): Promise<Payment> {
  const { rows } = await database.query<Row>(
    `${PAYMENTS} where account_id = $1 and transaction_id = $2`,
    [accountId, parsePublicId('transaction', id)],
  )
  const [row] = rows
  if (row === undefined)
    throw new AppError('not_found', 'This account has no such receipt.', {
      fix: 'Open the credit page to see your payments.',
    })
  return paymentOf(row)
}

function paymentOf(row: Row): Payment {
  const { transaction_id: id, brand, last4 } = row
  return {
    id: publicId('transaction', id),
    number: receiptNumber(id),
    reference: row.reference,
    source: row.source,
    amountMicros: Number(row.amount),
    reversedMicros: Number(row.reversed),
    at: row.credited_at.toISOString(),
    card: brand === null || last4 === null ? null : { brand, last4 },
    reversals: (row.reversals ?? []).map(({ reason, amount, ms }) => ({
      reason,
      amountMicros: amount,
      at: ms === 0 ? null : toRfc3339(ms),
    })),
  }
}

/** The random part of the id, which does not show how many payments the gateway has. */
function receiptNumber(id: Id): string {
  return `R-${id.replaceAll('-', '').slice(-12).toUpperCase()}`
}
