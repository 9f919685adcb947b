import type { Database } from '../db/database.ts'
import { AppError } from '../errors/app-error.ts'
import type { Clock } from '../lib/clock.ts'
import { moveCredit, type Moved, type Movement } from './move-credit.ts'

/** Without `expiresAt`, the credit does not expire. */
export type Grant = Omit<Movement, 'kind'>

/** Adds credit to an account. Throws AppError invalid_params for an expiry in the past. */
export async function grantCredit(
  deps: { database: Database; now: Clock },
  grant: Grant,
): Promise<Moved> {
  if (grant.expiresAt !== undefined && grant.expiresAt.getTime() <= deps.now())
    throw new AppError('invalid_params', 'The credit would expire before it is granted.', {
      param: 'expires',
    })
  return moveCredit(deps, { ...grant, kind: 'grant' })
}
