import type { Database, Query } from '../../db/database.ts'
import type { Caller } from '../../keys/caller.ts'
import { findCaller, findPrimaryCaller } from '../../keys/find-caller.ts'
import { hashSecret } from '../../keys/format.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Id } from '../../lib/ids.ts'
import type { Mode } from '../../lib/mode.ts'
import { hashOfToken, newToken } from '../../lib/token.ts'
import { requireOpen } from './require-open.ts'

export const KEY_SESSION_SECONDS = 12 * 3600
export const HOLDER_SESSION_SECONDS = 14 * 24 * 3600

/** Of one key or holder at once: people with many browsers, and no more rows than that for who signs in without end. */
export const MOST_PAGE_SESSIONS = 100

/** `database`: the database itself, or a transaction in progress. */
type Context = { readonly database: { readonly query: Query }; readonly now: Clock }

/** Who looks at the pages. */
export type Visitor = {
  /** The key that they act with: their own, or the account's primary one of the mode. */
  readonly caller: Caller
  /** The account's address where its holder signed in; null for whoever has but a key. */
  readonly email: string | null
}

/**
 * Signs the holder of a key's secret in to the pages; beyond so many sign-ins with it the oldest end. Returns the token
 * for the cookie; only its hash is kept.
 */
export async function openKeySession(context: Context, secret: string): Promise<string> {
  return openSession(context, {
    column: 'secret_hash',
    value: Buffer.from(hashSecret(secret), 'hex'),
    seconds: KEY_SESSION_SECONDS,
  })
}

/** Signs the holder of an account in, likewise. Throws AppError sign_in_refused when the account is closed. */
export async function openHolderSession(context: Context, accountId: Id): Promise<string> {
  await requireOpen(context.database, accountId)
  return openSession(context, {
    column: 'account_id',
    value: accountId,
    seconds: HOLDER_SESSION_SECONDS,
  })
}

type NewSession = {
  readonly column: 'secret_hash' | 'account_id'
  readonly value: Buffer | Id
  readonly seconds: number
}

async function openSession(
  { database, now }: Context,
  { column, value, seconds }: NewSession,
): Promise<string> {
  const [token, nowMs] = [newToken(), now()]
  const tokenHash = hashOfToken(token)
  // What somebody else is ending at this moment is left to them: nobody waits here for the locks of another.
  await database.query(
    'delete from page_sessions where token_hash in (select token_hash from page_sessions where expires_at <= $1 for update skip locked)',
    [new Date(nowMs)],
  )
  await database.query(
    `insert into page_sessions (token_hash, ${column}, expires_at) values ($1, $2, $3)`,
    [tokenHash, value, new Date(nowMs + seconds * 1000)],
  )
  // Several sign-ins at once leave each other's to each other.
  await database.query(
    `delete from page_sessions where token_hash in (
       select token_hash from page_sessions where ${column} = $1 and token_hash <> $2 order by expires_at desc offset $3 for update skip locked
     )`,
    [value, tokenHash, MOST_PAGE_SESSIONS - 1],
  )
  return token
}

/**
 * Who is signed in, or null: no such session, its time is over, its secret was revoked or rotated away, or the account is
 * closed. The holder of an account looks at the wallet of `mode`; a key has a mode of its own.
 */
export async function readPageSession(
  context: Context,
  token: string,
  mode: Mode = 'live',
): Promise<Visitor | null> {
  const session = await findSession(context, token)
  const visitor = await visitorOf(context, session, mode)
  if (visitor !== null || session === null || session.secretHash === null) return visitor
  // A double click: the key may have been rotated by this very browser since the row was read.
  const renewed = await findSession(context, token)
  return renewed?.secretHash === session.secretHash ? null : visitorOf(context, renewed, mode)
}

/** `secretHash` in hexadecimal; null for the holder of an account. */
type Session = {
  readonly secretHash: string | null
  readonly accountId: Id | null
  readonly email: string | null
}

async function findSession({ database, now }: Context, token: string): Promise<Session | null> {
  const { rows } = await database.query<{
    secret_hash: Buffer | null
    account_id: Id | null
    email: string | null
  }>(
    'select secret_hash, account_id, email from page_sessions left join accounts on accounts.id = account_id where token_hash = $1 and expires_at > $2',
    [hashOfToken(token), new Date(now())],
  )
  const [row] = rows
  return row === undefined
    ? null
    : {
        secretHash: row.secret_hash?.toString('hex') ?? null,
        accountId: row.account_id,
        email: row.email,
      }
}

async function visitorOf(
  { database, now }: Context,
  session: Session | null,
  mode: Mode,
): Promise<Visitor | null> {
  if (session === null) return null
  const { secretHash, accountId, email } = session
  const caller =
    secretHash === null
      ? await findPrimaryCaller(database, accountId ?? '', mode)
      : ((await findCaller(database, secretHash, now()))?.caller ?? null)
  return caller === null ? null : { caller, email }
}

/** The browser that rotated the very key that it is signed in with stays signed in, by the new secret; all others with the former one are not. */
export async function rebindSession(
  { query }: { readonly query: Query },
  token: string,
  newSecret: string,
): Promise<void> {
  await query(
    'update page_sessions set secret_hash = $2 where token_hash = $1 and secret_hash is not null',
    [hashOfToken(token), Buffer.from(hashSecret(newSecret), 'hex')],
  )
}

export async function endPageSession(database: Database, token: string): Promise<void> {
  await database.query('delete from page_sessions where token_hash = $1', [hashOfToken(token)])
}

/** Signs the holder of an account out of every browser, but for the one with the token `except`. */
export async function endPageSessionsOf(
  { query }: { readonly query: Query },
  accountId: Id,
  except = '',
): Promise<void> {
  await query(
    'delete from page_sessions where account_id = $1 and token_hash is distinct from $2',
    [accountId, hashOfToken(except)],
  )
}
