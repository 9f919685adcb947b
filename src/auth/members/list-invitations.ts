import type { Query } from '../../db/database.ts'
import type { Id } from '../../lib/ids.ts'
import {
  invitationRecord,
  SELECT_INVITATIONS,
  type InvitationRecord,
  type InvitationRow,
} from './invitation-record.ts'

/** The open invitations of an account, newest first. */
export async function listInvitations(
  { query }: { readonly query: Query },
  accountId: Id,
  nowMs: number,
): Promise<readonly InvitationRecord[]> {
  const { rows } = await query<InvitationRow>(
    `${SELECT_INVITATIONS} where account_id = $1 and expires_at > $2 order by invitations.id desc`,
    [accountId, new Date(nowMs)],
  )
  return rows.map(invitationRecord)
}
