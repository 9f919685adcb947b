import { endSessionsOfPerson } from './records/browser-session.ts'
import { AppError } from '../errors/app-error.ts'
import type { Id } from '../lib/ids.ts'
import type { Attempts } from './attempts.ts'
import type { AuthDeps } from './auth-deps.ts'
import { storePassword } from './store-password.ts'
import { hashPassword, isPassword, readPassword } from './password.ts'

export type PasswordChange = {
  readonly personId: Id
  readonly email: string
  readonly present: string
  readonly next: string
  /** The network address of the request. */
  readonly address: string
  /** The session of the browser that stays signed in. */
  readonly session: string
}

/**
 * Changes a password after checking the current one, and signs the holder's other browsers out.
 * Counts as a sign-in attempt. Throws AppError invalid_params, sign_in_refused, rate_limited.
 */
export async function changePassword(
  { database, now, passwordCost }: AuthDeps,
  attempts: Attempts,
  { personId, email, present, next, address, session }: PasswordChange,
): Promise<void> {
  const password = readPassword(next)
  attempts.count({ address, email })
  const { rows } = await database.query<{ password_hash: string }>(
    'select password_hash from person_passwords where person_id = $1',
    [personId],
  )
  const former = rows[0]?.password_hash ?? null
  if (!(await isPassword(present, former, passwordCost, address))) throw wrongPassword()
  const passwordHash = await hashPassword(password, passwordCost)
  await database.transaction(async (tx) => {
    // A link may have set another password meanwhile. The previous one must not replace it.
    const { count } = await tx.query(
      'select from person_passwords where person_id = $1 and password_hash = $2 for update',
      [personId, former],
    )
    if (count === 0) throw wrongPassword()
    await storePassword(tx, { personId, passwordHash, nowMs: now() })
    await endSessionsOfPerson(tx, personId, session)
  })
  attempts.forgive({ address, email })
}

function wrongPassword(): AppError {
  return new AppError('sign_in_refused', 'The current password is wrong.', {
    param: 'present',
    fix: 'Type it again.',
  })
}
