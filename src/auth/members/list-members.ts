import type { Query } from '../../db/database.ts'
import type { Id } from '../../lib/ids.ts'
import { memberRecord, SELECT_MEMBERS, type MemberRecord, type MemberRow } from './member-record.ts'

/** All members of an account, the first one first. An account has at most MOST_MEMBERS. */
export async function listMembers(
  { query }: { readonly query: Query },
  accountId: Id,
): Promise<readonly MemberRecord[]> {
  const { rows } = await query<MemberRow>(
    `${SELECT_MEMBERS} where members.account_id = $1 order by joined_at, people.id`,
    [accountId],
  )
  return rows.map(memberRecord)
}
