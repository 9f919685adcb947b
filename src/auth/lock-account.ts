import type { Transaction } from '../db/database.ts'
import type { Id } from '../lib/ids.ts'

/** Blocks concurrent changes of the account's sign-in methods until the transaction ends. */
export async function lockAccount(tx: Transaction, accountId: Id): Promise<void> {
  await tx.query('select from accounts where id = $1 for no key update', [accountId])
}
