import { endPageSessionsOf } from './records/browser-session.ts'
import { AppError } from '../errors/app-error.ts'
import type { Id } from '../lib/ids.ts'
import type { Attempts } from './attempts.ts'
import type { AuthDeps } from './auth-deps.ts'
import { storePassword } from './store-password.ts'
import { hashPassword, isPassword, readPassword } from './password.ts'

export type PasswordChange = {
  readonly accountId: Id
  readonly email: string
  readonly present: string
  readonly next: string
  /** The network address that it comes from. */
  readonly address: string
  /** The session of the browser that stays signed in. */
  readonly session: string
}

/**
 * Changes a password for whoever knows the present one, and signs every other browser of the holder out. Counts as an
 * attempt to sign in. Throws AppError invalid_params, sign_in_refused, rate_limited.
 */
export async function changePassword(
  { database, now, passwordCost }: AuthDeps,
  attempts: Attempts,
  { accountId, email, present, next, address, session }: PasswordChange,
): Promise<void> {
  const password = readPassword(next)
  attempts.count({ address, email })
  const { rows } = await database.query<{ password_hash: string }>(
    'select password_hash from account_passwords where account_id = $1',
    [accountId],
  )
  const former = rows[0]?.password_hash ?? null
  if (!(await isPassword(present, former, passwordCost))) throw notRight()
  const passwordHash = await hashPassword(password, passwordCost)
  await database.transaction(async (tx) => {
    // Whoever lost the account by a link in the meantime does not take it back with the former password.
    const { count } = await tx.query(
      'select from account_passwords where account_id = $1 and password_hash = $2 for update',
      [accountId, former],
    )
    if (count === 0) throw notRight()
    await storePassword(tx, { accountId, passwordHash, nowMs: now() })
    await endPageSessionsOf(tx, accountId, session)
  })
  attempts.forgive({ address, email })
}

function notRight(): AppError {
  return new AppError('sign_in_refused', 'The present password is not right.', {
    fix: 'Type it again.',
  })
}
