import { AppError } from '../../errors/app-error.ts'
import type { Transaction } from '../../db/database.ts'
import { seesPeople } from '../../keys/change-key.ts'
import type { Actor } from '../../keys/caller.ts'
import { roleMay, type Role } from '../../lib/permissions.ts'

/** The members of an account are shown to its people and to its live primary key. Throws AppError key_cannot_mint_keys. */
export function requireMemberView(actor: Actor): void {
  if (!seesPeople(actor))
    throw new AppError('key_cannot_mint_keys', 'Only the live primary key may list members.', {
      fix: "Use the account's live primary key, or sign in at /sign-in and open /team.",
    })
}

/** Only owners and the live primary key change members. Throws AppError key_cannot_mint_keys, role_not_allowed. */
export function requireManager({ primary, mode, member }: Actor): void {
  if (!primary || (mode === 'test' && member === undefined))
    throw new AppError('key_cannot_mint_keys', 'Only the live primary key may change members.', {
      fix: "Use the account's live primary key, or sign in at /sign-in as an owner and open /team.",
    })
  if (member !== undefined) requireOwner(member.role)
}

/** Makes concurrent changes of the account's members and keys wait. */
export async function lockTeam(
  tx: Transaction,
  { accountId }: Pick<Actor, 'accountId'>,
): Promise<void> {
  await tx.query('select from accounts where id = $1 for no key update', [accountId])
}

/** As requireManager, with the present role of a person. The caller holds the lock of `lockTeam`. */
export async function requireStillManager(tx: Transaction, actor: Actor): Promise<void> {
  if (actor.member === undefined) return
  const { rows } = await tx.query<{ role: Role }>(
    'select role from members where account_id = $1 and person_id = $2',
    [actor.accountId, actor.member.personId],
  )
  requireOwner(rows[0]?.role)
}

/**
 * Only a signed-in owner adds owners to an operator's account, because its owners use the operator console. A key
 * must not lead there. The caller holds the lock of `lockTeam`. Throws AppError key_cannot_mint_keys.
 */
export async function requirePersonToAddOwner(
  tx: Transaction,
  { accountId, member }: Pick<Actor, 'accountId' | 'member'>,
  role: Role,
): Promise<void> {
  if (role !== 'owner' || member !== undefined) return
  const { count } = await tx.query('select from accounts where id = $1 and is_operator', [
    accountId,
  ])
  if (count > 0)
    throw new AppError(
      'key_cannot_mint_keys',
      'Only a signed-in owner can add owners to an operator account.',
      { fix: 'Sign in at /sign-in as an owner and open /team.' },
    )
}

function requireOwner(role: Role | undefined): void {
  if (role === undefined || !roleMay(role, 'members.change'))
    throw new AppError('role_not_allowed', 'Only owners can change members.', {
      fix: 'Ask an owner of the account.',
    })
}
