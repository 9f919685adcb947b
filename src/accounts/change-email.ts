import type { Database } from '../db/database.ts'
import type { Account } from './account.ts'
import { refusalOf } from './create-account.ts'
import { readMailbox } from '../auth/records/email.ts'
import { endLinksOf } from '../auth/records/end-links.ts'
import { findAccount } from './find-account.ts'

/** Changes an account's email address and ends links sent to the former one. Throws AppError not_found, invalid_params, email_taken. */
export async function changeEmail(
  database: Database,
  idOrEmail: string,
  newEmail: string,
): Promise<Account> {
  const { account, accountId } = await findAccount(database, idOrEmail)
  const email = readMailbox(newEmail)
  await database.transaction(async (tx) => {
    await tx
      .query('update accounts set email = $2 where id = $1', [accountId, email])
      .catch((error: unknown) => {
        throw refusalOf(error, email) ?? error
      })
    await endLinksOf(tx, account.email)
  })
  return { ...account, email }
}
