import type { InvitationRecord } from '../../../auth/members/invitation-record.ts'
import type { MemberRecord } from '../../../auth/members/member-record.ts'
import { ROLES } from '../../../lib/permissions.ts'
import {
  amount,
  record,
  text,
  textOrNull,
  time,
  timeOrNull,
  type FieldsOf,
} from './schema-parts.ts'

const memberFields: FieldsOf<MemberRecord> = {
  id: { type: 'string', pattern: '^mem_' },
  email: text,
  role: { enum: [...ROLES] },
  joined_at: time,
  last_seen_at: {
    ...timeOrNull,
    description: 'The last sign-in, or switch to this account; null: never.',
  },
  keys: { ...amount, description: 'Their keys that are not revoked.' },
}

const invitationFields: FieldsOf<InvitationRecord> = {
  id: { type: 'string', pattern: '^inv_' },
  email: { ...textOrNull, description: 'Null: for the person who opens the link.' },
  role: { enum: [...ROLES] },
  invited_by: {
    ...textOrNull,
    description: 'The email address of the owner; null: invited with a key.',
  },
  created_at: time,
  expires_at: time,
}

export const memberSchemas = {
  Member: record(memberFields),
  Invitation: record(invitationFields),
  InvitationWithLink: record({
    ...invitationFields,
    url: {
      ...textOrNull,
      description: 'The link, in this response only; null: the gateway emailed it.',
    },
  }),
}
