import { readEmail } from './records/email.ts'
import { endSessionsOfPerson, openPersonSession } from './records/browser-session.ts'
import type { Query, Transaction } from '../db/database.ts'
import { AppError } from '../errors/app-error.ts'
import type { Clock } from '../lib/clock.ts'
import type { Id } from '../lib/ids.ts'
import { hashOfToken, newToken } from '../lib/token.ts'
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
import { storePassword } from './store-password.ts'
import { hashPassword, readPassword } from './password.ts'

/**
 * A one-time link, sent to an email address or created by the operator. Opening it allows choosing
 * a password for the person of that address. It serves sign-up, the first sign-in to an account
 * that the operator created, and forgotten passwords. Each proves access to the mailbox.
 */
export type SignInLink = {
  readonly email: string
  /** Whether the address has no person yet, so that the link creates an account. */
  readonly isNew: boolean
  /** The page that the visitor requested. Empty: the default page. */
  readonly next: string
}

export type NewLink = {
  readonly email: string
  /** Whether it creates an account if the address has none. */
  readonly makesAccount: boolean
  readonly seconds: number
  /** The page after sign-in. */
  readonly next?: string
  /** The account that it opens; default: the one that the person used last. */
  readonly accountId?: Id
}

/** Valid links per address. A further one ends the oldest. */
const MOST_LINKS = 5

/**
 * Creates a link and returns its token. Only the hash is stored. Throws AppError invalid_params for
 * an invalid address.
 */
export async function createLink(
  { database, now }: { readonly database: { readonly query: Query }; readonly now: Clock },
  { email, makesAccount, seconds, next = '', accountId }: NewLink,
): Promise<string> {
  const [token, nowMs] = [newToken(), now()]
  const address = readEmail(email)
  // Skips links that another transaction is using or ending.
  await database.query(
    'delete from sign_in_links where token_hash in (select token_hash from sign_in_links where expires_at <= $1 for update skip locked)',
    [new Date(nowMs)],
  )
  await database.query(
    'delete from sign_in_links where token_hash in (select token_hash from sign_in_links where lower(email) = lower($1) order by expires_at desc offset $2 for update skip locked)',
    [address, MOST_LINKS - 1],
  )
  await database.query(
    'insert into sign_in_links (token_hash, email, makes_account, expires_at, next, account_id) values ($1, $2, $3, $4, $5, $6)',
    [
      hashOfToken(token),
      address,
      makesAccount,
      new Date(nowMs + seconds * 1000),
      next,
      accountId ?? null,
    ],
  )
  return token
}

/** Reads a link without using it. Throws AppError sign_in_link_invalid. */
export async function readLink({ database, now }: AuthDeps, token: string): Promise<SignInLink> {
  const { rows } = await database.query<Link & { next: string }>(
    'select email, makes_account, next from sign_in_links where token_hash = $1 and expires_at > $2',
    [hashOfToken(token), new Date(now())],
  )
  const [link] = rows
  if (link === undefined) throw new AppError('sign_in_link_invalid')
  return {
    email: link.email,
    isNew: (await findPersonOf(database, link)) === null,
    next: link.next,
  }
}

type Link = { readonly email: string; readonly makes_account: boolean }

/** The person of a link, or null if it creates an account. Throws AppError sign_in_link_invalid. */
async function findPersonOf({ query }: { readonly query: Query }, link: Link): Promise<Id | null> {
  const owner = await findPerson({ query }, link.email)
  if (owner.personId === null && !(owner.isOpen && link.makes_account))
    throw new AppError('sign_in_link_invalid')
  return owner.personId
}

export type LinkUse = SignUpTerms & {
  readonly alongside?: Alongside
}

/**
 * Uses a link: sets the password, creates a missing account, and signs the holder's
 * browsers out. Throws AppError sign_in_link_invalid, invalid_params, sign_in_refused.
 */
export async function signInByLink(
  { database, now, passwordCost }: AuthDeps,
  token: string,
  password: string,
  { alongside, ...terms }: LinkUse = {},
): Promise<SignInOutcome> {
  // Checked before hashing, which is slow and limited. A rejected password must not use the link.
  await readLink({ database, now }, token)
  const passwordHash = await hashPassword(readPassword(password), passwordCost)
  return database.transaction(async (tx) => {
    const { personId, created, accountId } = await takeLink(tx, token, { ...terms, nowMs: now() })
    await storePassword(tx, { personId, passwordHash, nowMs: now() })
    await endSessionsOfPerson(tx, personId)
    const outcome = {
      ...(await openPersonSession({ database: tx, now }, personId, accountId)),
      created,
    }
    await alongside?.(tx, outcome)
    return outcome
  })
}

async function takeLink(
  tx: Transaction,
  token: string,
  request: Omit<SignUpRequest, 'email'>,
): Promise<SignedUp & { readonly accountId: Id | null }> {
  // Locks all links of the address in one order. A concurrent use of another link waits, and finds
  // it gone.
  const links = await tx.query<
    Link & { token_hash: Buffer; is_own: boolean; account_id: Id | null }
  >(
    'select email, makes_account, account_id, token_hash, token_hash = $1 as is_own from sign_in_links where lower(email) = (select lower(email) from sign_in_links where token_hash = $1 and expires_at > $2) order by token_hash for update',
    [hashOfToken(token), new Date(request.nowMs)],
  )
  const link = links.rows.find((one) => one.is_own)
  if (link === undefined) throw new AppError('sign_in_link_invalid')
  const personId = await findPersonOf(tx, link)
  // Deletes all locked links, so that an older email cannot change the password again. A link
  // created since may be locked by a transaction that waits for this one.
  await tx.query('delete from sign_in_links where token_hash = any($1)', [
    links.rows.map((one) => one.token_hash),
  ])
  return personId === null
    ? { ...(await signUp(tx, { ...request, email: link.email })), accountId: null }
    : { personId, created: null, accountId: link.account_id }
}
