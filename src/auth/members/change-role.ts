import type { Database } from '../../db/database.ts'
import type { Actor } from '../../keys/caller.ts'
import type { Role } from '../../lib/permissions.ts'
import { endInvitationsBy } from './end-invitations-by.ts'
import { findMember, requireAnotherOwner } from './find-member.ts'
import type { MemberRecord } from './member-record.ts'
import {
  lockTeam,
  requireManager,
  requirePersonToAddOwner,
  requireStillManager,
} from './require-manager.ts'

/**
 * Changes the role of a member from their next request on. A former owner's open invitations end. Of two owners
 * who demote each other, the second is rejected. Throws AppError not_found, last_owner, role_not_allowed,
 * key_cannot_mint_keys.
 */
export async function changeRole(
  database: Database,
  actor: Actor,
  id: string,
  role: Role,
): Promise<MemberRecord> {
  requireManager(actor)
  return database.transaction(async (tx) => {
    await lockTeam(tx, actor)
    const found = await findMember(tx, actor.accountId, id)
    if (role !== 'owner') await requireAnotherOwner(tx, actor.accountId, found)
    await requireStillManager(tx, actor)
    await requirePersonToAddOwner(tx, actor, role)
    if (found.record.role === role) return found.record
    await tx.query('update members set role = $3 where account_id = $1 and person_id = $2', [
      actor.accountId,
      found.personId,
      role,
    ])
    if (role !== 'owner') await endInvitationsBy(tx, actor.accountId, found.personId)
    return { ...found.record, role }
  })
}
