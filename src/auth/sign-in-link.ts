import { readEmail } from './records/email.ts'
import { endPageSessionsOf, openHolderSession } from './records/browser-session.ts'
import type { Query, Transaction } from '../db/database.ts'
import { AppError } from '../errors/app-error.ts'
import type { Id } from '../lib/ids.ts'
import { hashOfToken, newToken } from '../lib/token.ts'
import { findAddressHolder } from './find-address-holder.ts'
import type { AuthDeps } from './auth-deps.ts'
import {
  signUp,
  type Alongside,
  type SignInOutcome,
  type SignUpRequest,
  type SignUpTerms,
} from './sign-up.ts'
import { storePassword } from './store-password.ts'
import { hashPassword, readPassword } from './password.ts'

/**
 * A link that is sent to an e-mail address, or handed over by the operator: who opens it may choose a password for the
 * account of that address. It is how an account is made, how the holder of one that the operator made comes in, and what
 * helps who forgot the password: in all three somebody shows to read the mail of the address. It works once.
 */
export type SignInLink = {
  readonly email: string
  /** Whether there is no account for the address yet. */
  readonly isNew: boolean
  /** The page that was wanted by whoever asked for the link; empty where none was named. */
  readonly next: string
}

export type NewLink = {
  readonly email: string
  /** Whether it makes an account where there is none. */
  readonly makesAccount: boolean
  readonly seconds: number
  /** The page that it leads to in the end, where one was named. */
  readonly next?: string
}

/** Links of one address at a time; a further one ends the oldest. */
const MOST_LINKS = 5

/** The token of a new link; only its hash is kept. Throws AppError invalid_params for what is no address. */
export async function createLink(
  { database, now }: AuthDeps,
  { email, makesAccount, seconds, next = '' }: NewLink,
): Promise<string> {
  const [token, nowMs] = [newToken(), now()]
  const address = readEmail(email)
  // Those that somebody is using or ending at this moment are left to them.
  await database.query(
    'delete from sign_in_links where token_hash in (select token_hash from sign_in_links where expires_at <= $1 for update skip locked)',
    [new Date(nowMs)],
  )
  await database.query(
    'delete from sign_in_links where token_hash in (select token_hash from sign_in_links where lower(email) = lower($1) order by expires_at desc offset $2 for update skip locked)',
    [address, MOST_LINKS - 1],
  )
  await database.query(
    'insert into sign_in_links (token_hash, email, makes_account, expires_at, next) values ($1, $2, $3, $4, $5)',
    [hashOfToken(token), address, makesAccount, new Date(nowMs + seconds * 1000), next],
  )
  return token
}

/** What a link is for. Throws AppError sign_in_link_invalid. */
export async function readLink({ database, now }: AuthDeps, token: string): Promise<SignInLink> {
  const { rows } = await database.query<Link & { next: string }>(
    'select email, makes_account, next from sign_in_links where token_hash = $1 and expires_at > $2',
    [hashOfToken(token), new Date(now())],
  )
  const [link] = rows
  if (link === undefined) throw new AppError('sign_in_link_invalid')
  return { email: link.email, isNew: (await accountOf(database, link)) === null, next: link.next }
}

type Link = { readonly email: string; readonly makes_account: boolean }

/** The account that a link leads to, or null where it makes one. Throws AppError sign_in_link_invalid. */
async function accountOf({ query }: { readonly query: Query }, link: Link): Promise<Id | null> {
  const holder = await findAddressHolder({ query }, link.email)
  if (holder.accountId === null && !(holder.isOpen && link.makes_account))
    throw new AppError('sign_in_link_invalid')
  return holder.accountId
}

export type LinkUse = SignUpTerms & {
  readonly alongside?: Alongside
}

/**
 * Uses a link up: the password is the account's from now on, the account is made where there is none, and every browser
 * that was signed in as its holder is signed out. Throws AppError sign_in_link_invalid, invalid_params, sign_in_refused.
 */
export async function signInByLink(
  { database, now, passwordCost }: AuthDeps,
  token: string,
  password: string,
  { alongside, ...terms }: LinkUse = {},
): Promise<SignInOutcome> {
  // Hashing takes a while and has few places, so it is not for whoever has no link; a password that is refused must not use one up.
  await readLink({ database, now }, token)
  const passwordHash = await hashPassword(readPassword(password), passwordCost)
  return database.transaction(async (tx) => {
    const { accountId, created } = await takeLink(tx, token, { ...terms, nowMs: now() })
    await storePassword(tx, { accountId, passwordHash, nowMs: now() })
    await endPageSessionsOf(tx, accountId)
    const entered = {
      accountId,
      created,
      session: await openHolderSession({ database: tx, now }, accountId),
    }
    await alongside?.(tx, entered)
    return entered
  })
}

async function takeLink(
  tx: Transaction,
  token: string,
  newcomer: Omit<SignUpRequest, 'email'>,
): Promise<Omit<SignInOutcome, 'session'>> {
  // All links of the address, in one order: whoever uses another one at this moment waits, and finds it gone.
  const links = await tx.query<Link & { token_hash: Buffer; is_own: boolean }>(
    'select email, makes_account, token_hash, token_hash = $1 as is_own from sign_in_links where lower(email) = (select lower(email) from sign_in_links where token_hash = $1 and expires_at > $2) order by token_hash for update',
    [hashOfToken(token), new Date(newcomer.nowMs)],
  )
  const link = links.rows.find((one) => one.is_own)
  if (link === undefined) throw new AppError('sign_in_link_invalid')
  const accountId = await accountOf(tx, link)
  // The others too: whoever found one in an old mail could change the password again. Those alone that are locked: one that was
  // made since may be held by somebody who waits here.
  await tx.query('delete from sign_in_links where token_hash = any($1)', [
    links.rows.map((one) => one.token_hash),
  ])
  return accountId === null
    ? signUp(tx, { ...newcomer, email: link.email })
    : { accountId, created: null }
}
