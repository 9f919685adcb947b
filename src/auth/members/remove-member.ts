import type { Transaction } from '../../db/database.ts'
import { announceChange, treeOf } from '../../keys/announce.ts'
import { AppError } from '../../errors/app-error.ts'
import type { Actor } from '../../keys/caller.ts'
import type { KeyDeps } from '../../keys/key-deps.ts'
import type { Id } from '../../lib/ids.ts'
import { roleMay } from '../../lib/permissions.ts'
import { endSessionsOfAccount } from '../records/browser-session.ts'
import { endMemberships } from '../records/end-memberships.ts'
import { endInvitationsBy } from './end-invitations-by.ts'
import { findMember, requireAnotherOwner } from './find-member.ts'
import type { MemberRecord } from './member-record.ts'
import { lockTeam, requireManager, requireStillManager } from './require-manager.ts'

/** `pause`: the keys stop and belong to the account. `hand_over`: they run on and belong to another member. */
export const KEY_CHOICES = ['pause', 'hand_over'] as const
export type KeyChoice = (typeof KEY_CHOICES)[number]

export type RemovedKeys = {
  readonly choice: KeyChoice
  /** "mem_…" of the member who gets the keys; default: the remover. */
  readonly to?: string | undefined
}

/**
 * Removes a member. Their sessions of the account and their open invitations end in the same commit, and all their
 * keys, also those below others, are paused or handed over. Throws AppError not_found, last_owner, invalid_params,
 * role_not_allowed, key_cannot_mint_keys.
 */
export async function removeMember(
  deps: KeyDeps,
  actor: Actor,
  id: string,
  keys: RemovedKeys,
): Promise<MemberRecord> {
  requireManager(actor)
  const { record, changes } = await deps.database.transaction(async (tx) => {
    await lockTeam(tx, actor)
    const found = await findMember(tx, actor.accountId, id)
    await requireAnotherOwner(tx, actor.accountId, found)
    await requireStillManager(tx, actor)
    const heir = await findHeir(tx, actor, found.personId, keys)
    const named = await endMembership(tx, actor.accountId, found.personId, heir)
    // Last, as in all lock orders: a sign-in that waited for the membership has opened no session.
    await endSessionsOfAccount(tx, actor.accountId, found.personId)
    return { record: found.record, changes: named }
  })
  deps.forget(changes)
  return record
}

/** The person who gets the keys; null: the account as a whole. */
type Heir = { readonly personId: Id | null; readonly pauses?: true }

/** The account gets the keys, paused. */
export const PAUSED: Heir = { personId: null, pauses: true }

async function findHeir(
  tx: Transaction,
  { accountId, member }: Actor,
  personId: Id,
  { choice, to }: RemovedKeys,
): Promise<Heir> {
  if (choice === 'pause') return PAUSED
  if (to === undefined)
    return { personId: member?.personId === personId ? null : (member?.personId ?? null) }
  const heir = await findMember(tx, accountId, to)
  if (heir.personId === personId || !roleMay(heir.record.role, 'keys.own'))
    throw new AppError('invalid_params', 'The keys cannot be handed over to this member.', {
      param: 'to',
      fix: 'Choose another member who is an owner or a developer.',
    })
  return { personId: heir.personId }
}

/**
 * Ends the keys, invitations and membership of a person, except their sessions. The caller holds the lock of
 * `lockTeam`. Returns the changes to announce.
 */
export async function endMembership(
  tx: Transaction,
  accountId: Id,
  personId: Id,
  heir: Heir,
): Promise<readonly string[]> {
  const changes = await endKeys(tx, accountId, personId, heir)
  await endInvitationsBy(tx, accountId, personId)
  await endMemberships(tx, accountId, personId)
  return changes
}

async function endKeys(
  tx: Transaction,
  accountId: Id,
  personId: Id,
  heir: Heir,
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
  await tx.query('update keys set person_id = $2 where id = any($1)', [ids, heir.personId])
  if (heir.pauses === true) {
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
