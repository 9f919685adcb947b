import { isMailbox, readEmail } from './records/email.ts'
import { openHolderSession } from './records/browser-session.ts'
import type { Transaction } from '../db/database.ts'
import { AppError } from '../errors/app-error.ts'
import type { Id } from '../lib/ids.ts'
import { findAddressHolder } from './find-address-holder.ts'
import type { AuthDeps } from './auth-deps.ts'
import {
  signUp,
  type Alongside,
  type SignInOutcome,
  type SignUpRequest,
  type SignUpTerms,
} from './sign-up.ts'
import { lockAccount } from './lock-account.ts'
import type { Identity } from './auth-services.ts'

export type IdentitySignIn = SignUpTerms & {
  /** Whether an account is made where there is none. */
  readonly makesAccount: boolean
  readonly alongside?: Alongside
}

/**
 * The account of somebody for whom a provider vouches. Once it is known whose they are, the address plays no part any more.
 * Whoever is new is told by their address, which the provider must have verified: an account of that address is theirs, and
 * linked without asking, even when it has a password. That password was chosen by whoever read the mail of the same address,
 * or the operator made the account for that address: nobody can have been there before its holder. So a provider is trusted
 * with every account. One is made where there is none. Throws AppError sign_in_refused.
 */
export async function signInByIdentity(
  context: AuthDeps,
  identity: Identity,
  wish: IdentitySignIn,
): Promise<SignInOutcome> {
  try {
    return await enterOnce(context, identity, wish)
  } catch (error) {
    if (!wasFirst(error)) throw error
    // Another browser of theirs made or linked the account at the same moment, and has committed.
    return enterOnce(context, identity, wish)
  }
}

function enterOnce(
  { database, now }: AuthDeps,
  identity: Identity,
  { alongside, ...wish }: IdentitySignIn,
): Promise<SignInOutcome> {
  return database.transaction(async (tx) => {
    const known = await tx.query<{ account_id: Id }>(
      'select account_id from account_identities where issuer = $1 and subject = $2',
      [identity.issuer, identity.subject],
    )
    const [linked] = known.rows
    const { accountId, created } =
      linked === undefined
        ? await enterByAddress(tx, { ...wish, email: verifiedEmailOf(identity), nowMs: now() })
        : { accountId: linked.account_id, created: null }
    if (linked === undefined)
      await tx.query(
        'insert into account_identities (issuer, subject, account_id, created_at) values ($1, $2, $3, $4)',
        [identity.issuer, identity.subject, accountId, new Date(now())],
      )
    const entered = {
      accountId,
      created,
      session: await openHolderSession({ database: tx, now }, accountId),
    }
    await alongside?.(tx, entered)
    return entered
  })
}

async function enterByAddress(
  tx: Transaction,
  { makesAccount, ...newcomer }: IdentitySignIn & SignUpRequest,
): Promise<Omit<SignInOutcome, 'session'>> {
  const { email } = newcomer
  const holder = await findAddressHolder(tx, email)
  if (holder.accountId !== null) {
    // Erasing the account waits, and removes what is added here; or it is over, and the account found closed.
    await lockAccount(tx, holder.accountId)
    return { accountId: holder.accountId, created: null }
  }
  if (!makesAccount || !holder.isOpen)
    throw new AppError('sign_in_refused', `There is no account for ${email} here.`, {
      fix: 'Ask the operator of this gateway for one.',
    })
  return signUp(tx, newcomer)
}

function verifiedEmailOf({ email, isEmailVerified }: Identity): string {
  if (email === null)
    throw new AppError('sign_in_refused', 'Your e-mail address was not told to this gateway.', {
      fix: 'Allow it when you are asked, or sign in another way.',
    })
  if (!isEmailVerified)
    throw new AppError(
      'sign_in_refused',
      'Your e-mail address is not confirmed where you came from.',
      { fix: 'Confirm it there and try again, or sign in another way.' },
    )
  const address = readEmail(email)
  if (isMailbox(address)) return address
  throw new AppError(
    'sign_in_refused',
    'Your e-mail address is in a domain that is reserved for special use, so it cannot be confirmed.',
    { fix: 'Sign in another way, or with an account whose address is on the public internet.' },
  )
}

function wasFirst(error: unknown): boolean {
  return (
    (error instanceof AppError && error.code === 'email_taken') ||
    (error as { constraint?: string }).constraint === 'account_identities_pkey'
  )
}
