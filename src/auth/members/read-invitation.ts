import type { Query } from '../../db/database.ts'
import { AppError } from '../../errors/app-error.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Id } from '../../lib/ids.ts'
import type { Role } from '../../lib/permissions.ts'
import { hashOfToken } from '../../lib/token.ts'

/** An open invitation, for the person with its link. */
export type Invitation = {
  readonly id: Id
  readonly accountId: Id
  /** The name of the account. */
  readonly account: string
  /** Null: for the person who opens the link. */
  readonly email: string | null
  readonly provesEmail: boolean
  readonly role: Role
  readonly inviter: string | null
  readonly expiresAt: Date
  /** Whether the invited address can sign in. */
  readonly hasPerson: boolean
}

/** Reads an open invitation without using it. Throws AppError invitation_invalid. */
export async function readInvitation(
  { database, now }: { readonly database: { readonly query: Query }; readonly now: Clock },
  token: string,
): Promise<Invitation> {
  const { rows } = await database.query<Omit<Invitation, 'id'> & { id: Id; isOpen: boolean }>(
    `select invitations.id, invitations.account_id as "accountId", accounts.email as account, invitations.email,
       proves_email as "provesEmail", role, inviter.email as inviter, expires_at as "expiresAt",
       exists (select from people where lower(people.email) = lower(invitations.email)) as "hasPerson",
       paused_at is null and exists (select from keys join budgets on budgets.id = keys.id
         where keys.account_id = accounts.id and is_primary and mode = 'live' and state <> 'closed') as "isOpen"
     from invitations join accounts on accounts.id = invitations.account_id
       left join people as inviter on inviter.id = invited_by
     where token_hash = $1`,
    [hashOfToken(token)],
  )
  const [row] = rows
  if (row === undefined)
    throw new AppError('invitation_invalid', 'This invitation was already used or revoked.')
  if (row.expiresAt.getTime() <= now())
    throw new AppError('invitation_invalid', 'This invitation has expired.')
  const { isOpen, ...invitation } = row
  if (!isOpen)
    throw new AppError('invitation_invalid', 'The account of this invitation is closed or paused.')
  return invitation
}
