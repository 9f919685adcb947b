import type { FoundAccount } from './find-account.ts'
import type { Query } from '../db/database.ts'
import { AppError } from '../errors/app-error.ts'
import { findPrimaryCaller } from '../keys/find-caller.ts'

/** Throws AppError bad_request with this `fix` if the account is closed or paused. */
export async function rejectClosed(
  database: { readonly query: Query },
  { account, accountId }: FoundAccount,
  fix: string,
): Promise<void> {
  if ((await findPrimaryCaller(database, accountId, 'live')) === null)
    throw new AppError('bad_request', `The account ${account.id} is closed or paused.`, { fix })
}
