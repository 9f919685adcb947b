import type { Database } from '../db/database.ts'
import type { Clock } from '../lib/clock.ts'
import { findAccount, type FoundAccount } from './find-account.ts'
import { grantCredit } from './grant-credit.ts'
import { moveCredit, type Moved, type Movement } from './move-credit.ts'
import { rejectClosed } from './reject-closed.ts'

export type AddedCredit = Omit<Movement, 'accountId' | 'kind'> & {
  /** An id (acc_…) or an email address. */
  readonly account: string
  /** `topup`: paid credit, which never expires. */
  readonly kind: 'grant' | 'topup'
}

/** Adds credit to an open account, for an operator. Throws AppError not_found, bad_request, invalid_params. */
export async function addCredit(
  deps: { readonly database: Database; readonly now: Clock },
  { account: idOrEmail, kind, ...movement }: AddedCredit,
): Promise<FoundAccount & { readonly moved: Moved }> {
  const found = await findAccount(deps.database, idOrEmail)
  await rejectClosed(
    deps.database,
    found,
    'It cannot spend credit. Create another account and add the credit to it.',
  )
  const { accountId } = found
  const moved = await (kind === 'topup'
    ? moveCredit(deps, { ...movement, accountId, kind })
    : grantCredit(deps, { ...movement, accountId }))
  return { ...found, moved }
}
