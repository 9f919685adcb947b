import { normalizeEmail, isSameMailbox } from './records/email.ts'
import { openHolderSession } from './records/browser-session.ts'
import { AppError } from '../errors/app-error.ts'
import type { Id } from '../lib/ids.ts'
import type { Attempts } from './attempts.ts'
import type { AuthDeps } from './auth-deps.ts'
import { isPassword } from './password.ts'
import type { HolderSession } from './holder-session.ts'

export type Credentials = {
  readonly email: string
  readonly password: string
  /** The network address that they come from. */ readonly address: string
}

/**
 * Signs the holder of an account in. Throws AppError sign_in_refused, the same and after the same time whether the address
 * or the password is wrong; rate_limited after too many attempts.
 */
export async function signInByPassword(
  { database, now, passwordCost }: AuthDeps,
  attempts: Attempts,
  { email, password, address }: Credentials,
): Promise<HolderSession> {
  attempts.count({ address, email })
  const { rows } = await database.query<{ account_id: Id; email: string; password_hash: string }>(
    'select account_id, email, password_hash from account_passwords join accounts on accounts.id = account_id where lower(email) = lower($1)',
    [normalizeEmail(email)],
    'password_of',
  )
  // An address that the database alone takes for it would be counted as another one.
  const kept = rows.find((row) => isSameMailbox(row.email, email))
  const isRight = await isPassword(password, kept?.password_hash ?? null, passwordCost)
  if (kept === undefined || !isRight) throw notRight()
  const { account_id: accountId, password_hash: passwordHash } = kept
  const session = await database.transaction(async (tx) => {
    // It was checked for a while. A new password ends every session, so none may come after it by the former one.
    const { count } = await tx.query(
      'select from account_passwords where account_id = $1 and password_hash = $2 for share',
      [accountId, passwordHash],
    )
    if (count === 0) throw notRight()
    return openHolderSession({ database: tx, now }, accountId)
  })
  attempts.forgive({ address, email })
  return { accountId, session }
}

function notRight(): AppError {
  return new AppError('sign_in_refused', 'The e-mail address or the password is not right.', {
    fix: 'Check both. Whoever forgot the password gets a link to choose a new one.',
  })
}
