import type { Transaction } from '../../db/database.ts'
import { announceChange, treeOf } from '../../keys/announce.ts'
import type { Actor } from '../../keys/caller.ts'
import type { KeyDeps } from '../../keys/key-deps.ts'
import type { Id } from '../../lib/ids.ts'
import { endSessionsOfAccount } from '../records/browser-session.ts'
import { endMemberships } from '../records/end-memberships.ts'
import { endInvitationsBy } from './end-invitations-by.ts'
import { findMember, requireAnotherOwner } from './find-member.ts'
import type { MemberRecord } from './member-record.ts'
import { lockTeam, requireManager, requireStillManager } from './require-manager.ts'

/** `pause`: the keys stop and belong to the account. `hand_over`: they run on and belong to the remover. */
export const KEY_CHOICES = ['pause', 'hand_over'] as const
export type KeyChoice = (typeof KEY_CHOICES)[number]

/**
 * Removes a member. Their sessions of the account and their open invitations end in the same commit, and all their
 * keys, also those below others, are paused or handed over. Throws AppError not_found, last_owner,
 * role_not_allowed, key_cannot_mint_keys.
 */
export async function removeMember(
  deps: KeyDeps,
  actor: Actor,
  id: string,
  choice: KeyChoice,
): Promise<MemberRecord> {
  requireManager(actor)
  const { record, changes } = await deps.database.transaction(async (tx) => {
    await lockTeam(tx, actor)
    const found = await findMember(tx, actor.accountId, id)
    await requireAnotherOwner(tx, actor.accountId, found)
    await requireStillManager(tx, actor)
    const { personId } = found
    const named = await endKeys(tx, actor, personId, choice)
    await endInvitationsBy(tx, actor.accountId, personId)
    await endMemberships(tx, actor.accountId, personId)
    // Last, as in all lock orders: a sign-in that waited for the membership has opened no session.
    await endSessionsOfAccount(tx, actor.accountId, personId)
    return { record: found.record, changes: named }
  })
  deps.forget(changes)
  return record
}

/** Returns the changes to announce. */
async function endKeys(
  tx: Transaction,
  { accountId, member }: Actor,
  personId: Id,
  choice: KeyChoice,
): Promise<readonly string[]> {
  const { rows } = await tx.query<{
    id: Id
    secret_hash: Buffer
    former_secret_hash: Buffer | null
  }>(
    'select id, secret_hash, former_secret_hash from keys where account_id = $1 and person_id = $2 order by id for update',
    [accountId, personId],
  )
  if (rows.length === 0) return []
  const ids = rows.map((row) => row.id)
  const heir = choice === 'hand_over' && member?.personId !== personId ? member?.personId : null
  await tx.query('update keys set person_id = $2 where id = any($1)', [ids, heir ?? null])
  if (choice === 'pause') {
    // In the lock order of ledger flushes.
    await tx.query('select from budgets where id = any($1) order by id for no key update', [ids])
    await tx.query("update budgets set state = 'paused' where id = any($1) and state = 'open'", [
      ids,
    ])
  }
  const changes = rows.flatMap((row) => [
    treeOf(row.id),
    ...[row.secret_hash, row.former_secret_hash].flatMap((hash) =>
      hash === null ? [] : [hash.toString('hex')],
    ),
  ])
  await announceChange(tx, changes)
  return changes
}
