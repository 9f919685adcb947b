import { emailAsKept, isSameMailbox } from '../accounts/email.ts'
import { AppError } from '../errors/app-error.ts'
import type { Id } from '../lib/ids.ts'
import type { Attempts } from './attempts.ts'
import type { PeopleContext } from './context.ts'
import { isPassword } from './password.ts'

export type Credentials = { readonly email: string; readonly password: string; /** The network address that they come from. */ readonly address: string }

/**
 * The account whose holder this is. Throws AppError sign_in_refused, the same and after the same time whether the address
 * or the password is wrong; rate_limited after too many attempts.
 */
export async function signInByPassword({ database }: PeopleContext, attempts: Attempts, { email, password, address }: Credentials): Promise<Id> {
  attempts.count({ address, email })
  const { rows } = await database.query<{ account_id: Id; email: string; password_hash: string }>(
    'select account_id, email, password_hash from account_passwords join accounts on accounts.id = account_id where lower(email) = lower($1)',
    [emailAsKept(email)],
    'password_of',
  )
  // An address that the database alone takes for it would be counted as another one.
  const kept = rows.find((row) => isSameMailbox(row.email, email))
  const isRight = await isPassword(password, kept?.password_hash ?? null)
  if (kept === undefined || !isRight) throw new AppError('sign_in_refused', 'The e-mail address or the password is not right.', { fix: 'Check both; a new password is set by a link that is sent to the address.' })
  attempts.forgive({ address, email })
  return kept.account_id
}
