import type { Query } from '../../db/database.ts'
import { AppError } from '../../errors/app-error.ts'
import { HOUR_MS, type Clock } from '../../lib/clock.ts'
import { readSessionAge, type PersonSession } from './browser-session.ts'

type Deps = { readonly database: { readonly query: Query }; readonly now: Clock }

/** How recently operators must have signed in, to give money, access or secrets. */
export const RECENT_SIGN_IN_MS = HOUR_MS

/** Throws AppError sign_in_refused for a session that is older than an hour. */
export async function requireRecentSignIn(deps: Deps, token: string): Promise<void> {
  if ((await readSessionAge(deps, token)) >= RECENT_SIGN_IN_MS) throw staleSignIn()
}

/**
 * As requireRecentSignIn, for the members of any operator's account, also while they see another account.
 */
export async function requireRecentOperator(
  deps: Deps,
  { personId, session }: Pick<PersonSession, 'personId' | 'session'>,
): Promise<void> {
  const { count } = await deps.database.query(
    'select from members join accounts on id = account_id where person_id = $1 and is_operator limit 1',
    [personId],
  )
  if (count > 0) await requireRecentSignIn(deps, session)
}

export function staleSignIn(): AppError {
  return new AppError('sign_in_refused', 'You signed in more than an hour ago.', {
    fix: 'Sign in again to confirm this action.',
  })
}
