import { DAY_MS, toRfc3339 } from '../../lib/clock.ts'
import { publicId, type Id } from '../../lib/ids.ts'
import type { Role } from '../../lib/permissions.ts'

export const INVITATION_DAYS = 7
export const INVITATION_MS = INVITATION_DAYS * DAY_MS

/** An open invitation. Its link is shown or emailed once. */
export type InvitationRecord = {
  readonly id: string
  /** Null: for the person who opens the link. */
  readonly email: string | null
  readonly role: Role
  /** The address of the owner who invited; null for a key, and after they have left. */
  readonly invited_by: string | null
  readonly created_at: string
  readonly expires_at: string
}

export type InvitationRow = {
  readonly id: Id
  readonly email: string | null
  readonly role: Role
  readonly inviter: string | null
  readonly created_at: Date
  readonly expires_at: Date
}

/** Selects rows of InvitationRow; a condition on `invitations` follows. */
export const SELECT_INVITATIONS = `select invitations.id, invitations.email, role, people.email as inviter,
  invitations.created_at, expires_at from invitations left join people on people.id = invited_by`

export function invitationRecord(row: InvitationRow): InvitationRecord {
  return {
    id: publicId('invitation', row.id),
    email: row.email,
    role: row.role,
    invited_by: row.inviter,
    created_at: toRfc3339(row.created_at.getTime()),
    expires_at: toRfc3339(row.expires_at.getTime()),
  }
}
