import { listPayments } from '../../calls/payments/queue.ts'
import { listUnknownSales } from '../../calls/selling/sales.ts'
import type { Database } from '../../db/database.ts'

const MOST_SHOWN = 50

/** Payments whose outcome is unknown: to merchants, and from buyers without an account. */
export async function readPending(database: Database) {
  const [payments, sales] = [
    await listPayments(database, 'unknown', MOST_SHOWN),
    await listUnknownSales(database, MOST_SHOWN),
  ]
  return { payments, sales }
}

export type Pending = Awaited<ReturnType<typeof readPending>>

export type CardPaymentRow = {
  readonly account_id: string
  readonly email: string
  readonly credited_at: Date
  readonly amount_micros: bigint
  readonly reversed_micros: bigint
  readonly taken_back_micros: bigint
}

/** The latest card payments with their refunds and disputes. */
export async function readCardPayments({ query }: Pick<Database, 'query'>) {
  const { rows } = await query<CardPaymentRow>(
    `select account_id, email, credited_at, amount_micros, reversed_micros, taken_back_micros
     from (select * from card_payments order by credited_at desc limit $1) as newest join accounts on accounts.id = account_id order by credited_at desc`,
    [MOST_SHOWN],
  )
  return rows
}
