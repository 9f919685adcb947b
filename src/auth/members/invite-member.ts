import type { Transaction } from '../../db/database.ts'
import { AppError } from '../../errors/app-error.ts'
import type { Actor } from '../../keys/caller.ts'
import { newId, publicId, type Id } from '../../lib/ids.ts'
import { toRfc3339 } from '../../lib/clock.ts'
import type { Role } from '../../lib/permissions.ts'
import { hashOfToken, newToken } from '../../lib/token.ts'
import type { Attempt } from '../attempts.ts'
import type { Mail } from '../auth-services.ts'
import { readEmail, readMailbox } from '../records/email.ts'
import { INVITATION_DAYS, INVITATION_MS, type InvitationRecord } from './invitation-record.ts'
import type { InviteDeps } from './invite-deps.ts'
import {
  lockTeam,
  requireManager,
  requirePersonToAddOwner,
  requireStillManager,
} from './require-manager.ts'

/** Members and open invitations of an account, together. */
export const MOST_MEMBERS = 100
/** Open invitations of an account. */
export const MOST_INVITATIONS = 20

export type NewInvitation = {
  readonly role: Role
  /** The only address that can accept. Null: the person who opens the link. */
  readonly email: string | null
  /** The network address of the request. */
  readonly address?: string
}

/** `url`: the link, in this result only. Null if it was emailed. */
export type Invited = InvitationRecord & { readonly url: string | null }

export type KeepInvited = (tx: Transaction, invited: Invited) => Promise<void>

/**
 * Creates an invitation: one link, for one person, for seven days. With an address and email, the link is emailed and
 * not returned, so that it proves the address. Throws AppError invalid_params, member_quota_exceeded,
 * role_not_allowed, key_cannot_mint_keys, rate_limited, and upstream_error if the email was not accepted.
 */
export async function inviteMember(
  deps: InviteDeps,
  actor: Actor,
  { role, email, address: from }: NewInvitation,
  keep?: KeepInvited,
): Promise<Invited> {
  requireManager(actor)
  const { mailer } = deps
  const address = email === null ? null : mailer === null ? readEmail(email) : readMailbox(email)
  const isMailed = address !== null && mailer !== null
  if (isMailed) countEmail(deps, { account: actor.accountId, email: address, address: from })
  const [token, nowMs] = [newToken(), deps.now()]
  const url = `${deps.publicUrl}/invitations/${token}`
  const id = newId(nowMs)
  const expiresMs = nowMs + INVITATION_MS
  const invited = await deps.database.transaction(async (tx) => {
    await lockTeam(tx, actor)
    await requireStillManager(tx, actor)
    await requirePersonToAddOwner(tx, actor, role)
    await tx.query('delete from invitations where account_id = $1 and expires_at <= $2', [
      actor.accountId,
      new Date(nowMs),
    ])
    await requireQuota(tx, actor.accountId)
    if (address !== null) await requireNew(tx, actor.accountId, address)
    const inviter = await describeInviter(tx, actor)
    await tx.query(
      `insert into invitations (id, account_id, token_hash, email, proves_email, role, invited_by, created_at, expires_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [
        id,
        actor.accountId,
        hashOfToken(token),
        address,
        address !== null && (isMailed || inviter.isOperator),
        role,
        actor.member?.personId ?? null,
        new Date(nowMs),
        new Date(expiresMs),
      ],
    )
    const record: Invited = {
      id: publicId('invitation', id),
      email: address,
      role,
      invited_by: inviter.email,
      created_at: toRfc3339(nowMs),
      expires_at: toRfc3339(expiresMs),
      url: isMailed ? null : url,
    }
    if (!isMailed) await keep?.(tx, record)
    return record
  })
  if (!isMailed) return invited
  // After the commit, because a slow mail server must not hold the lock of the account.
  await mailer.send(emailOf(deps, { to: address, invited, url })).catch(async (error: unknown) => {
    await deps.database.query('delete from invitations where id = $1', [id])
    throw error
  })
  await deps.database.transaction(async (tx) => keep?.(tx, invited))
  return invited
}

function emailOf(
  { publicUrl }: InviteDeps,
  { to, invited, url }: { readonly to: string; readonly invited: Invited; readonly url: string },
): Mail {
  return {
    to,
    subject: 'You are invited to a Tollgate account',
    text: `${invited.invited_by ?? 'An owner'} invites you to an account at ${publicUrl}, with the role "${invited.role}".

Open this link to accept:

${url}

The link works once and expires in ${INVITATION_DAYS} days. If you do not know the sender, ignore this email.

Sent by the Tollgate at ${publicUrl}.
`,
  }
}

/** Throws AppError rate_limited. */
function countEmail(
  { sentInDay, sentInHour }: InviteDeps,
  {
    address,
    ...attempt
  }: Required<Pick<Attempt, 'account' | 'email'>> & {
    readonly address: string | undefined
  },
): void {
  const sent = address === undefined ? attempt : { ...attempt, address }
  sentInDay.count(sent)
  sentInHour.count(sent)
}

async function requireQuota(tx: Transaction, accountId: Id): Promise<void> {
  const { rows } = await tx.query<{ open: bigint; members: bigint }>(
    `select (select count(*) from invitations where account_id = $1) as open,
       (select count(*) from members where account_id = $1) as members`,
    [accountId],
  )
  const { open = 0n, members = 0n } = rows[0] ?? {}
  if (open >= MOST_INVITATIONS || open + members >= MOST_MEMBERS)
    throw new AppError(
      'member_quota_exceeded',
      `An account can have at most ${MOST_INVITATIONS} open invitations, and ${MOST_MEMBERS} members with them.`,
      { details: { max_invitations: MOST_INVITATIONS, max_members: MOST_MEMBERS } },
    )
}

/** Throws AppError invalid_params for the address of a member, and for one with an open invitation. */
async function requireNew(tx: Transaction, accountId: Id, email: string): Promise<void> {
  const { rows } = await tx.query<{ is_member: boolean }>(
    `select true as is_member from members join people on people.id = person_id where account_id = $1 and lower(people.email) = lower($2)
     union all select false from invitations where account_id = $1 and lower(email) = lower($2)`,
    [accountId, email],
  )
  if (rows[0] === undefined) return
  throw new AppError(
    'invalid_params',
    rows[0].is_member
      ? `${email} is a member of the account already.`
      : `${email} has an open invitation already.`,
    {
      param: 'email',
      fix: rows[0].is_member
        ? 'Change their role in the list of members.'
        : 'Revoke it first, to send another one.',
    },
  )
}

/** The inviting person. Signed-in operators vouch for the addresses that they invite; keys do not. */
async function describeInviter(
  tx: Transaction,
  { accountId, member }: Actor,
): Promise<{ readonly email: string | null; readonly isOperator: boolean }> {
  const { rows } = await tx.query<{ email: string | null; is_operator: boolean }>(
    'select people.email, is_operator from accounts left join people on people.id = $2 where accounts.id = $1',
    [accountId, member?.personId ?? null],
  )
  return {
    email: rows[0]?.email ?? null,
    isOperator: member !== undefined && rows[0]?.is_operator === true,
  }
}
