import { toRfc3339 } from '../../lib/clock.ts'
import { publicId, type Id } from '../../lib/ids.ts'
import type { Role } from '../../lib/permissions.ts'

/** A member of an account. */
export type MemberRecord = {
  readonly id: string
  readonly email: string
  readonly role: Role
  readonly joined_at: string
  /** The last sign-in, or switch to this account. Null: never. */
  readonly last_seen_at: string | null
  /** Their keys that are not revoked. */
  readonly keys: number
}

export type MemberRow = {
  readonly id: Id
  readonly email: string
  readonly role: Role
  readonly joined_at: Date
  readonly last_seen_at: Date | null
  readonly keys: bigint
}

/** Selects rows of MemberRow; a condition on `members` follows. */
export const SELECT_MEMBERS = `select people.id, people.email, role, joined_at, last_seen_at,
  (select count(*) from keys join budgets on budgets.id = keys.id
    where keys.person_id = people.id and keys.account_id = members.account_id and state <> 'closed') as keys
  from members join people on people.id = members.person_id`

export function memberRecord(row: MemberRow): MemberRecord {
  return {
    id: publicId('member', row.id),
    email: row.email,
    role: row.role,
    joined_at: toRfc3339(row.joined_at.getTime()),
    last_seen_at: row.last_seen_at === null ? null : toRfc3339(row.last_seen_at.getTime()),
    keys: Number(row.keys),
  }
}
