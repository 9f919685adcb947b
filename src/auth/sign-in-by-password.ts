import { normalizeEmail, isSameMailbox } from './records/email.ts'
import { openPersonSession, type PersonSession } from './records/browser-session.ts'
import { AppError } from '../errors/app-error.ts'
import type { Id } from '../lib/ids.ts'
import type { Attempts } from './attempts.ts'
import { lockPerson } from './lock-person.ts'
import type { AuthDeps } from './auth-deps.ts'
import { isPassword } from './password.ts'

export type Credentials = {
  readonly email: string
  readonly password: string
  /** The network address of the request. */
  readonly address: string
}

/**
 * Signs a person in. Throws AppError sign_in_refused, after the same time for a
 * wrong address and a wrong password, and rate_limited after too many attempts.
 */
export async function signInByPassword(
  { database, now, passwordCost }: AuthDeps,
  attempts: Attempts,
  { email, password, address }: Credentials,
): Promise<PersonSession> {
  attempts.count({ address, email })
  const { rows } = await database.query<{ person_id: Id; email: string; password_hash: string }>(
    'select person_id, email, password_hash from person_passwords join people on people.id = person_id where lower(email) = lower($1)',
    [normalizeEmail(email)],
    'password_of',
  )
  // The database equates some addresses that `attempts` counts separately.
  const found = rows.find((row) => isSameMailbox(row.email, email))
  const isRight = await isPassword(password, found?.password_hash ?? null, passwordCost, address)
  if (found === undefined || !isRight) throw wrongCredentials()
  const { person_id: personId, password_hash: passwordHash } = found
  const session = await database.transaction(async (tx) => {
    await lockPerson(tx, personId)
    // The check took time. A new password ends every session, so the previous one must not open
    // another.
    const { count } = await tx.query(
      'select from person_passwords where person_id = $1 and password_hash = $2 for share',
      [personId, passwordHash],
    )
    if (count === 0) throw wrongCredentials()
    return openPersonSession({ database: tx, now }, personId)
  })
  attempts.forgive({ address, email })
  return session
}

function wrongCredentials(): AppError {
  return new AppError('sign_in_refused', 'The email address or the password is wrong.', {
    fix: 'Check both. If you forgot the password, request a link to choose a new one.',
  })
}
