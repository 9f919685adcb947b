import type { Transaction } from '../../db/database.ts'
import { AppError } from '../../errors/app-error.ts'
import { publicId, type Id } from '../../lib/ids.ts'
import type { Role } from '../../lib/permissions.ts'
import { hashOfToken } from '../../lib/token.ts'
import type { AuthDeps } from '../auth-deps.ts'
import { lockPerson } from '../lock-person.ts'
import { hashPassword, readPassword } from '../password.ts'
import { addMember, findOrCreatePerson } from '../records/add-member.ts'
import { openPersonSession, switchAccount, type PersonSession } from '../records/browser-session.ts'
import { endLinksOf } from '../records/end-links.ts'
import { isSameMailbox } from '../records/email.ts'
import { storePassword } from '../store-password.ts'
import { readInvitation, type Invitation } from './read-invitation.ts'

/**
 * Makes a signed-in person a member, and shows them the account. Of several concurrent uses of one link, one
 * succeeds. A member's own use leaves the invitation open. Throws AppError invitation_invalid,
 * invitation_for_another, bad_request for a member, sign_in_refused.
 */
export async function acceptInvitation(
  { database, now }: AuthDeps,
  token: string,
  person: PersonSession & { readonly email: string },
): Promise<{ readonly accountId: Id; readonly role: Role }> {
  return database.transaction(async (tx) => {
    const invitation = await takeInvitation(tx, token, now())
    if (invitation.email !== null && !isSameMailbox(invitation.email, person.email))
      throw new AppError(
        'invitation_for_another',
        `This invitation is for ${invitation.email}. You are signed in as ${person.email}.`,
      )
    await join(tx, invitation, person.personId, now())
    const { accountId, role } = invitation
    await switchAccount({ database: tx, now }, { ...person, accountId })
    return { accountId, role }
  })
}

/**
 * Creates the person of an invited address with a password, as a member and without an account or credit of
 * their own, and signs them in. Only for a link that proves the address. Throws AppError invitation_invalid,
 * invalid_params, and sign_in_refused for an address that has a person, who must sign in.
 */
export async function acceptAsNewPerson(
  { database, now, passwordCost }: AuthDeps,
  token: string,
  password: string,
): Promise<PersonSession> {
  // Before hashing, which is slow and limited.
  requireProof(await readInvitation({ database, now }, token))
  const passwordHash = await hashPassword(readPassword(password), passwordCost)
  return database.transaction(async (tx) => {
    const nowMs = now()
    const invitation = await takeInvitation(tx, token, nowMs)
    const email = requireProof(invitation)
    await endLinksOf(tx, email)
    const personId = await findOrCreatePerson(tx, email, nowMs)
    await lockPerson(tx, personId)
    await requireNewPerson(tx, personId)
    await storePassword(tx, { personId, passwordHash, nowMs })
    await join(tx, invitation, personId, nowMs)
    return openPersonSession({ database: tx, now }, personId)
  })
}

/** Throws AppError invitation_invalid for a link that does not prove its address. */
function requireProof({ email, provesEmail }: Invitation): string {
  if (email !== null && provesEmail) return email
  throw new AppError('invitation_invalid', 'This invitation does not prove an email address.', {
    fix: 'Sign in first, then open the invitation again.',
  })
}

async function requireNewPerson(tx: Transaction, personId: Id): Promise<void> {
  const { count } = await tx.query(
    `select from people where id = $1 and (
       exists (select from members where person_id = $1)
       or exists (select from person_passwords where person_id = $1))`,
    [personId],
  )
  if (count > 0)
    throw new AppError('sign_in_refused', 'This address can sign in already.', {
      fix: 'Sign in, then open the invitation again.',
    })
}

async function takeInvitation(tx: Transaction, token: string, nowMs: number): Promise<Invitation> {
  // A concurrent use waits here, and finds the invitation gone.
  await tx.query('select from invitations where token_hash = $1 for update', [hashOfToken(token)])
  return readInvitation({ database: tx, now: () => nowMs }, token)
}

async function join(
  tx: Transaction,
  { id, accountId, role }: Invitation,
  personId: Id,
  nowMs: number,
): Promise<void> {
  await tx.query('delete from invitations where id = $1', [id])
  await lockPerson(tx, personId)
  if (!(await addMember(tx, { accountId, personId, role, nowMs })))
    throw new AppError(
      'bad_request',
      `You are a member of ${publicId('account', accountId)} already.`,
      { fix: 'Open /team to see your role.' },
    )
}
