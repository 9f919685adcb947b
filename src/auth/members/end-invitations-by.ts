import type { Transaction } from '../../db/database.ts'
import type { Id } from '../../lib/ids.ts'

/** Ends the open invitations of a former owner, who could still have their links. */
export async function endInvitationsBy(
  tx: Transaction,
  accountId: Id,
  personId: Id,
): Promise<void> {
  await tx.query('delete from invitations where account_id = $1 and invited_by = $2', [
    accountId,
    personId,
  ])
}
