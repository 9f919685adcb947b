import { findAccount, type FoundAccount } from '../accounts/find-account.ts'
import { rejectClosed } from '../accounts/reject-closed.ts'
import { MAILBOX_OF_ACCOUNT } from '../db/account-mailbox.ts'
import type { Database, Transaction } from '../db/database.ts'
import { AppError } from '../errors/app-error.ts'
import { recordChange } from '../db/record-change.ts'
import type { Id } from '../lib/ids.ts'
import { DAY_MS, type Clock } from '../lib/clock.ts'
import { createLink } from './sign-in-link.ts'

export type AccountLink = FoundAccount & { readonly token: string; readonly expiresAtMs: number }

/**
 * Creates a sign-in link for an owner of an account, for an operator to hand out. It works once, within a day.
 * The address of the result is that of the owner.
 * Throws AppError not_found, or bad_request when the account is closed.
 */
export async function createAccountLink(
  { database, now }: { readonly database: Database; readonly now: Clock },
  idOrEmail: string,
): Promise<AccountLink> {
  const found = await findAccount(database, idOrEmail)
  await rejectClosed(database, found, 'Its holder cannot sign in.')
  const { accountId, account } = found
  const expiresAtMs = now() + DAY_MS
  return database.transaction(async (tx) => {
    const email = await findOwner(tx, accountId)
    const token = await createLink(
      { database: tx, now },
      { email, makesAccount: false, seconds: DAY_MS / 1000, accountId },
    )
    await recordChange(tx, {
      accountId,
      subject: 'sign_in_link',
      subjectId: accountId,
      what: 'created',
    })
    return { account: { ...account, email }, accountId, token, expiresAtMs }
  })
}

async function findOwner(tx: Transaction, accountId: Id): Promise<string> {
  const { rows } = await tx.query<{ email: string | null }>(
    `select ${MAILBOX_OF_ACCOUNT} as email from accounts where id = $1`,
    [accountId],
  )
  const email = rows[0]?.email ?? null
  if (email === null)
    throw new AppError('bad_request', 'The account has no owner.', {
      fix: 'Give it an address first: ./tollgate accounts email.',
    })
  return email
}
