import type { InvitationRecord } from '../../../../auth/members/invitation-record.ts'
import type { MemberRecord } from '../../../../auth/members/member-record.ts'
import type { Visitor } from '../../../../auth/records/browser-session.ts'
import type { FieldErrors } from '../visitor/field-errors.ts'

export const TEAM_PATH = '/team'

export type TeamView = {
  readonly visitor: Visitor
  /** Null for a session of a key that may not list members. */
  readonly members: readonly MemberRecord[] | null
  readonly invitations: readonly InvitationRecord[]
  readonly canManage: boolean
  readonly sendsEmail: boolean
  readonly typed: { readonly email: string; readonly role: string }
  readonly errors: FieldErrors
  readonly problem?: string
  readonly done?: string
  readonly onceToken?: string
}
