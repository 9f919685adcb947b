import type { Database, Transaction } from '../db/database.ts'
import type { Id } from '../lib/ids.ts'
import type { Account } from './account.ts'
import { refusalOf } from './create-account.ts'
import { readMailbox } from '../auth/records/email.ts'
import { endLinksOf } from '../auth/records/end-links.ts'
import { findAccount } from './find-account.ts'

/** Changes an account's email address, with that of its owner, and ends links sent to the former one. Throws AppError not_found, invalid_params, email_taken. */
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
    await changeOwnersEmail(tx, { accountId, former: account.email, email })
    await endLinksOf(tx, account.email)
  })
  return { ...account, email }
}

type EmailChange = { readonly accountId: Id; readonly former: string; readonly email: string }

/** The owner who signs in with the former address does so with the new one. */
async function changeOwnersEmail(
  tx: Transaction,
  { accountId, former, email }: EmailChange,
): Promise<void> {
  await tx
    .query(
      `update people set email = $3 from members
       where person_id = people.id and account_id = $1 and role = 'owner' and lower(email) = lower($2)`,
      [accountId, former, email],
    )
    .catch((error: unknown) => {
      throw refusalOf(error, email) ?? error
    })
}
