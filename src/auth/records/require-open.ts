import type { Query } from '../../db/database.ts'
import { AppError } from '../../errors/app-error.ts'
import { findPrimaryCaller } from '../../keys/find-caller.ts'
import type { Id } from '../../lib/ids.ts'

/** Throws AppError sign_in_refused when the account is closed. */
export async function requireOpen(
  database: { readonly query: Query },
  accountId: Id,
): Promise<void> {
  if ((await findPrimaryCaller(database, accountId, 'live')) === null)
    throw new AppError('sign_in_refused', 'This account is closed.', {
      fix: 'Ask the operator of this gateway.',
    })
}
