import type { Transaction } from '../../db/database.ts'
import type { Id } from '../../lib/ids.ts'
import { wholeCents } from '../../lib/money.ts'
import type { SavedCard } from '../card-desk.ts'

/** The settings that the form offers first: below $5.00, add $20.00, at most $100.00 a month. */
export const FIRST_TOPUP_SETTINGS = {
  threshold: wholeCents(500),
  amount: wholeCents(2_000),
  monthly: wholeCents(10_000),
} as const

/** Replaces the saved card of an account, and forgets the failures of the former one. */
export async function saveCard(
  tx: Transaction,
  accountId: Id,
  { customer, method, brand, last4 }: SavedCard,
): Promise<void> {
  const { threshold, amount, monthly } = FIRST_TOPUP_SETTINGS
  await tx.query(
    `insert into auto_topups (account_id, threshold_micros, amount_micros, monthly_micros, customer, method, brand, last4)
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (account_id) do update set customer = excluded.customer, method = excluded.method,
       brand = excluded.brand, last4 = excluded.last4, failures = 0, off_because = null, next_ms = 0`,
    [accountId, threshold, amount, monthly, customer, method, brand, last4],
  )
}
