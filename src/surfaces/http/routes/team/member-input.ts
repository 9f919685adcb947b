import { LONGEST_EMAIL } from '../../../../auth/records/email.ts'
import { KEY_CHOICES, type KeyChoice } from '../../../../auth/members/remove-member.ts'
import { ROLES, type Role } from '../../../../lib/permissions.ts'
import { Type } from '../../../../lib/schema.ts'

const role = Type.Unsafe<Role>({
  enum: [...ROLES],
  description:
    '"owner": everything. "billing": buys credit. "developer": runs calls, and creates keys of their own. "viewer": changes nothing.',
})

export const NewInvitationBody = Type.Object(
  {
    role,
    email: Type.Optional(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        minLength: 1,
        maxLength: LONGEST_EMAIL,
        description:
          'The only address that can accept. If the gateway sends email, the link is emailed and not returned. Null: the first signed-in person who opens the link.',
      }),
    ),
  },
  { additionalProperties: false },
)

export const MemberPatchBody = Type.Object({ role }, { additionalProperties: false })

export const RemovalQuery = Type.Object(
  {
    keys: Type.Optional(
      Type.Unsafe<KeyChoice>({
        enum: [...KEY_CHOICES],
        description:
          'The keys of the member: "pause" stops them until an owner resumes them; "hand_over" leaves them active, and they belong to another member. Default: pause.',
      }),
    ),
    to: Type.Optional(
      Type.String({
        pattern: '^mem_[0-9a-f]{32}$',
        description:
          'With "hand_over": the owner or developer who gets the keys. Default: the remover.',
      }),
    ),
  },
  { additionalProperties: false },
)
