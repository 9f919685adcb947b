import { isMailbox, readEmail } from './records/email.ts'
import { openPersonSession } from './records/browser-session.ts'
import type { Transaction } from '../db/database.ts'
import { AppError } from '../errors/app-error.ts'
import type { Id } from '../lib/ids.ts'
import { findPerson } from './records/find-person.ts'
import type { AuthDeps } from './auth-deps.ts'
import {
  signUp,
  type Alongside,
  type SignInOutcome,
  type SignUpRequest,
  type SignUpTerms,
  type SignedUp,
} from './sign-up.ts'
import { lockPerson } from './lock-person.ts'
import type { Identity } from './auth-services.ts'

export type IdentitySignIn = SignUpTerms & {
  /** Whether to create a missing account. */
  readonly makesAccount: boolean
  readonly alongside?: Alongside
}

/**
 * Signs in the person with a provider's identity. A linked identity ignores the email address. A new
 * one is linked to the person of its verified address, even if that has a password: only the
 * mailbox's reader or the operator can have created that person. So the provider is trusted with
 * every account. Creates an account if it is missing. Throws AppError sign_in_refused.
 */
export async function signInByIdentity(
  deps: AuthDeps,
  identity: Identity,
  request: IdentitySignIn,
): Promise<SignInOutcome> {
  try {
    return await signInOnce(deps, identity, request)
  } catch (error) {
    if (!isLostRace(error)) throw error
    // Another browser of the same person created or linked the account concurrently, and has
    // committed.
    return signInOnce(deps, identity, request)
  }
}

function signInOnce(
  { database, now }: AuthDeps,
  identity: Identity,
  { alongside, ...request }: IdentitySignIn,
): Promise<SignInOutcome> {
  return database.transaction(async (tx) => {
    const known = await tx.query<{ person_id: Id }>(
      'select person_id from person_identities where issuer = $1 and subject = $2',
      [identity.issuer, identity.subject],
    )
    const [linked] = known.rows
    const { personId, created } =
      linked === undefined
        ? await findOrCreateByEmail(tx, {
            ...request,
            email: requireVerifiedEmail(identity),
            nowMs: now(),
          })
        : { personId: linked.person_id, created: null }
    if (linked === undefined)
      await tx.query(
        'insert into person_identities (issuer, subject, person_id, created_at) values ($1, $2, $3, $4)',
        [identity.issuer, identity.subject, personId, new Date(now())],
      )
    const outcome = {
      ...(await openPersonSession({ database: tx, now }, personId)),
      created,
    }
    await alongside?.(tx, outcome)
    return outcome
  })
}

async function findOrCreateByEmail(
  tx: Transaction,
  { makesAccount, ...newAccount }: IdentitySignIn & SignUpRequest,
): Promise<SignedUp> {
  const { email } = newAccount
  const owner = await findPerson(tx, email)
  if (owner.personId !== null) {
    // A concurrent erasure waits and removes the new identity, or it is complete and the account is
    // closed.
    await lockPerson(tx, owner.personId)
    return { personId: owner.personId, created: null }
  }
  if (!makesAccount || !owner.isOpen)
    throw new AppError('sign_in_refused', `This gateway has no account for ${email}.`, {
      fix: 'Ask the operator of this gateway to create one.',
    })
  return signUp(tx, newAccount)
}

function requireVerifiedEmail({ email, isEmailVerified }: Identity): string {
  if (email === null)
    throw new AppError('sign_in_refused', 'The sign-in service did not share your email address.', {
      fix: 'Allow it on the sign-in page of the service, or sign in another way.',
    })
  if (!isEmailVerified)
    throw new AppError(
      'sign_in_refused',
      'The sign-in service has not verified your email address.',
      { fix: 'Verify the address there and try again, or sign in another way.' },
    )
  const address = readEmail(email)
  if (isMailbox(address)) return address
  throw new AppError(
    'sign_in_refused',
    'Your email address is in a domain reserved for special use, so it cannot be verified.',
    { fix: 'Sign in another way, or with an account whose address is on the public internet.' },
  )
}

function isLostRace(error: unknown): boolean {
  return (
    (error instanceof AppError && error.code === 'email_taken') ||
    (error as { constraint?: string }).constraint === 'person_identities_pkey'
  )
}
