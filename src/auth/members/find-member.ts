import type { Query } from '../../db/database.ts'
import { AppError } from '../../errors/app-error.ts'
import { parsePublicId, type Id } from '../../lib/ids.ts'
import type { Role } from '../../lib/permissions.ts'
import { memberRecord, SELECT_MEMBERS, type MemberRecord, type MemberRow } from './member-record.ts'

export type FoundMember = { readonly personId: Id; readonly record: MemberRecord }

/** Finds a member by "mem_…". Throws AppError not_found, also for a member of another account. */
export async function findMember(
  { query }: { readonly query: Query },
  accountId: Id,
  id: string,
): Promise<FoundMember> {
  const personId = parsePublicId('member', id)
  const { rows } = await query<MemberRow>(
    `${SELECT_MEMBERS} where members.account_id = $1 and people.id = $2`,
    [accountId, personId],
  )
  if (personId === null || rows[0] === undefined)
    throw new AppError('not_found', 'The account has no such member.', {
      fix: 'GET /api/v1/members lists all members.',
    })
  return { personId, record: memberRecord(rows[0]) }
}

/** Throws AppError last_owner for the only owner of the account. The caller holds the lock of `lockTeam`. */
export async function requireAnotherOwner(
  { query }: { readonly query: Query },
  accountId: Id,
  {
    personId,
    record: { role, email },
  }: { readonly personId: Id; readonly record: { readonly role: Role; readonly email: string } },
): Promise<void> {
  if (role !== 'owner') return
  const { count } = await query(
    "select from members where account_id = $1 and role = 'owner' and person_id <> $2 limit 1",
    [accountId, personId],
  )
  if (count === 0)
    throw new AppError(
      'last_owner',
      `${email} is the only owner of the account, and an account needs at least one.`,
      { param: 'role' },
    )
}
