import type { Database } from '../db/database.ts'
import { findAccount, type FoundAccount } from './find-account.ts'

/**
 * Lets the holder of an account use the operator console, or ends that, from the next request on.
 * Throws AppError not_found.
 */
export async function setOperator(
  database: Database,
  idOrEmail: string,
  isOperator: boolean,
): Promise<FoundAccount & { readonly changed: boolean }> {
  const found = await findAccount(database, idOrEmail)
  // A transaction, because only transactions have an author in the audit log.
  const { count } = await database.transaction((tx) =>
    tx.query('update accounts set is_operator = $2 where id = $1 and is_operator <> $2', [
      found.accountId,
      isOperator,
    ]),
  )
  return { ...found, changed: count > 0 }
}
