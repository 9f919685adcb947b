import type { Transaction } from '../db/database.ts'
import { AppError } from '../errors/app-error.ts'
import type { Scope } from '../lib/owner.ts'
import { roleMay } from '../lib/permissions.ts'
import type { Actor } from './caller.ts'
import type { KeyRow } from './key-row.ts'

/**
 * Throws AppError role_not_allowed for a member who may change only their own keys, and this is not one of
 * them. The primary keys belong to no member.
 */
export function requireOwnKey({ member }: Actor, row: Pick<KeyRow, 'person_id'>): void {
  if (member === undefined || roleMay(member.role, 'keys.manage')) return
  if (row.person_id !== member.personId)
    throw roleError('Your role can change only your own keys, and this is not one of them.')
}

/** Throws AppError role_not_allowed for such a member and a key that sees the keys and calls of others. */
export function requireOwnScope({ member }: Actor, scope: Scope | undefined): void {
  if (member === undefined || roleMay(member.role, 'keys.manage')) return
  if (scope === 'account')
    throw roleError('Your role can create only keys that see their own calls.', 'scope')
}

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

function roleError(message: string, param?: string): AppError {
  return new AppError('role_not_allowed', message, {
    fix: 'Ask an owner of the account to change the key, or your role.',
    ...(param === undefined ? {} : { param }),
  })
}
