import { resolvePayment, type PaymentRecord } from '../../calls/payments/queue.ts'
import type { Database } from '../../db/database.ts'
import { recordChange } from '../../db/record-change.ts'
import type { Clock } from '../../lib/clock.ts'

/**
 * Stores the operator's decision about a payment and writes it to the audit log. Throws AppError not_found
 * for a payment that waits for no decision.
 */
export async function decidePayment(
  { database, now }: { readonly database: Database; readonly now: Clock },
  {
    id,
    outcome,
    note,
  }: { readonly id: string; readonly outcome: 'paid' | 'unpaid'; readonly note: string },
): Promise<PaymentRecord> {
  const payment = await resolvePayment(database, id, outcome, note, now())
  await recordChange(database, {
    accountId: null,
    subject: 'payment',
    subjectId: payment.id,
    what: 'changed',
    fields: { status: ['unknown', outcome], amount_micros: [null, payment.amount_micros] },
  })
  return payment
}
