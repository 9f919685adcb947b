import { findAccount, type FoundAccount } from '../accounts/find-account.ts'
import { rejectClosed } from '../accounts/reject-closed.ts'
import type { Database } from '../db/database.ts'
import { recordChange } from '../db/record-change.ts'
import { DAY_MS, type Clock } from '../lib/clock.ts'
import { createLink } from './sign-in-link.ts'

export type AccountLink = FoundAccount & { readonly token: string; readonly expiresAtMs: number }

/**
 * Creates a sign-in link for the holder of an account, for an operator to hand out. It works once, within a day.
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
  const token = await createLink(
    { database, now },
    { email: account.email, makesAccount: false, seconds: DAY_MS / 1000 },
  )
  await recordChange(database, {
    accountId,
    subject: 'sign_in_link',
    subjectId: accountId,
    what: 'created',
  })
  return { ...found, token, expiresAtMs }
}
