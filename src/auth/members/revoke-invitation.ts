import type { Database } from '../../db/database.ts'
import { AppError } from '../../errors/app-error.ts'
import type { Actor } from '../../keys/caller.ts'
import { parsePublicId } from '../../lib/ids.ts'
import {
  invitationRecord,
  SELECT_INVITATIONS,
  type InvitationRecord,
  type InvitationRow,
} from './invitation-record.ts'
import { lockTeam, requireManager, requireStillManager } from './require-manager.ts'

/** Ends an open invitation. Throws AppError not_found, role_not_allowed, key_cannot_mint_keys. */
export async function revokeInvitation(
  database: Database,
  actor: Actor,
  id: string,
): Promise<InvitationRecord> {
  requireManager(actor)
  return database.transaction(async (tx) => {
    await lockTeam(tx, actor)
    await requireStillManager(tx, actor)
    const { rows } = await tx.query<InvitationRow>(
      `${SELECT_INVITATIONS} where account_id = $1 and invitations.id = $2 for update of invitations`,
      [actor.accountId, parsePublicId('invitation', id)],
    )
    const [row] = rows
    if (row === undefined)
      throw new AppError('not_found', 'The account has no such open invitation.', {
        fix: 'It may have been used or revoked. GET /api/v1/members/invitations lists the open ones.',
      })
    await tx.query('delete from invitations where id = $1', [row.id])
    return invitationRecord(row)
  })
}
