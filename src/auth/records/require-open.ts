import type { Query } from '../../db/database.ts'
import { AppError } from '../../errors/app-error.ts'
import { findPrimaryCaller } from '../../keys/find-caller.ts'
import type { Id } from '../../lib/ids.ts'

/** Throws AppError sign_in_refused when the account is closed or paused. */
export async function requireOpen(
  database: { readonly query: Query },
  accountId: Id,
): Promise<void> {
  if ((await findPrimaryCaller(database, accountId, 'live')) !== null) return
  const { rows } = await database.query<{ paused: boolean }>(
    'select paused_at is not null as paused from accounts where id = $1',
    [accountId],
  )
  throw new AppError(
    'sign_in_refused',
    rows[0]?.paused === true ? 'This account is paused.' : 'This account is closed.',
    { fix: 'Ask the operator of this gateway.' },
  )
}
