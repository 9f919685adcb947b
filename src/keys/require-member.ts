import type { Transaction } from '../db/database.ts'
import { AppError } from '../errors/app-error.ts'
import type { Actor } from './caller.ts'

/**
 * Throws AppError invalid_token for a person who was removed since their session was read. The caller holds the
 * lock of the account, for which a removal waits.
 */
export async function requireMember(
  tx: Transaction,
  { accountId, member }: Pick<Actor, 'accountId' | 'member'>,
): Promise<void> {
  if (member === undefined) return
  const { count } = await tx.query('select from members where account_id = $1 and person_id = $2', [
    accountId,
    member.personId,
  ])
  if (count === 0)
    throw new AppError('invalid_token', 'You are no longer a member of this account.', {
      fix: 'Ask one of its owners for an invitation.',
    })
}
