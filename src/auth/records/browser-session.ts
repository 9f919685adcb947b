import type { Database, Query } from '../../db/database.ts'
import type { Caller } from '../../keys/caller.ts'
import { findCaller, findPrimaryCaller } from '../../keys/find-caller.ts'
import { isExpired } from '../../keys/policy/expiry.ts'
import { hashSecret } from '../../keys/format.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Id } from '../../lib/ids.ts'
import type { Mode } from '../../lib/mode.ts'
import type { Role } from '../../lib/permissions.ts'
import { hashOfToken, newToken } from '../../lib/token.ts'
import { requireOpen } from './require-open.ts'

export const KEY_SESSION_SECONDS = 12 * 3600
export const HOLDER_SESSION_SECONDS = 14 * 24 * 3600

/**
 * Concurrent sessions of one key or holder. Enough for many browsers, and a limit for repeated
 * sign-ins.
 */
export const MOST_PAGE_SESSIONS = 100

/** `database`: the database itself, or a transaction in progress. */
type SessionDeps = { readonly database: { readonly query: Query }; readonly now: Clock }

/** A visitor of the pages. */
export type Visitor = {
  /** The key whose rights the visitor has: their own, or the account's primary key of the mode. */
  readonly caller: Caller
  /** The account's email address if its holder is signed in. Null for a session of a key. */
  readonly email: string | null
  /** The role of the signed-in person in the account. Null for a session of a key. */
  readonly role: Role | null
  /** Whether it is a person of an operator's account, whose owners may use the operator console. */
  readonly isOperator?: boolean
}

/**
 * Opens a session with a key's secret. Beyond the limit, the oldest sessions of the key end.
 * Returns the token for the cookie; only its hash is stored.
 */
export async function openKeySession(deps: SessionDeps, secret: string): Promise<string> {
  return openSession(deps, {
    column: 'secret_hash',
    value: Buffer.from(hashSecret(secret), 'hex'),
    seconds: KEY_SESSION_SECONDS,
  })
}

/**
 * Opens a session for the holder of an account. Throws AppError sign_in_refused when the account is
 * closed.
 */
export async function openHolderSession(deps: SessionDeps, accountId: Id): Promise<string> {
  await requireOpen(deps.database, accountId)
  return openSession(deps, {
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
  { database, now }: SessionDeps,
  { column, value, seconds }: NewSession,
): Promise<string> {
  const [token, nowMs] = [newToken(), now()]
  const tokenHash = hashOfToken(token)
  // Skips sessions that another transaction is ending, so that it waits for no lock.
  await database.query(
    'delete from page_sessions where token_hash in (select token_hash from page_sessions where expires_at <= $1 for update skip locked)',
    [new Date(nowMs)],
  )
  await database.query(
    `insert into page_sessions (token_hash, ${column}, expires_at) values ($1, $2, $3)`,
    [tokenHash, value, new Date(nowMs + seconds * 1000)],
  )
  // Concurrent sign-ins skip the sessions that others delete.
  await database.query(
    `delete from page_sessions where token_hash in (
       select token_hash from page_sessions where ${column} = $1 and token_hash <> $2 order by expires_at desc offset $3 for update skip locked
     )`,
    [value, tokenHash, MOST_PAGE_SESSIONS - 1],
  )
  return token
}

/**
 * The visitor of a session. Null if it is unknown or expired, its key was revoked, rotated or has
 * expired, or the account is closed. The holder of an account sees the wallet of `mode`; a key has its own
 * mode.
 */
export async function readPageSession(
  deps: SessionDeps,
  token: string,
  mode: Mode = 'live',
): Promise<Visitor | null> {
  const session = await findSession(deps, token)
  const visitor = await findVisitor(deps, session, mode)
  if (visitor !== null || session === null || session.secretHash === null) return visitor
  // After a double click, this browser may have rotated the key since the row was read.
  const renewed = await findSession(deps, token)
  return renewed?.secretHash === session.secretHash ? null : findVisitor(deps, renewed, mode)
}

/** `secretHash` in hexadecimal. Null for the holder of an account. */
type Session = {
  readonly secretHash: string | null
  readonly accountId: Id | null
  readonly email: string | null
  readonly isOperator: boolean
}

async function findSession({ database, now }: SessionDeps, token: string): Promise<Session | null> {
  const { rows } = await database.query<{
    secret_hash: Buffer | null
    account_id: Id | null
    email: string | null
    is_operator: boolean | null
  }>(
    'select secret_hash, account_id, email, is_operator from page_sessions left join accounts on accounts.id = account_id where token_hash = $1 and expires_at > $2',
    [hashOfToken(token), new Date(now())],
  )
  const [row] = rows
  return row === undefined
    ? null
    : {
        secretHash: row.secret_hash?.toString('hex') ?? null,
        accountId: row.account_id,
        email: row.email,
        isOperator: row.is_operator === true,
      }
}

async function findVisitor(
  { database, now }: SessionDeps,
  session: Session | null,
  mode: Mode,
): Promise<Visitor | null> {
  if (session === null) return null
  const { secretHash, accountId, email, isOperator } = session
  const caller =
    secretHash === null
      ? await findPrimaryCaller(database, accountId ?? '', mode)
      : ((await findCaller(database, secretHash, now()))?.caller ?? null)
  return caller === null || isExpired(caller, now())
    ? null
    : { caller, email, role: email === null ? null : 'owner', isOperator }
}

/** How long ago the holder signed in with this session, in milliseconds; Infinity for any other session. */
export async function readSessionAge(
  { database, now }: SessionDeps,
  token: string,
): Promise<number> {
  const { rows } = await database.query<{ expires_at: Date }>(
    'select expires_at from page_sessions where token_hash = $1 and secret_hash is null',
    [hashOfToken(token)],
  )
  const expiresMs = rows[0]?.expires_at.getTime()
  return expiresMs === undefined
    ? Number.POSITIVE_INFINITY
    : now() - (expiresMs - HOLDER_SESSION_SECONDS * 1000)
}

/**
 * Moves a session to the key's new secret after a rotation. Other sessions with the previous secret
 * end.
 */
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

/** Ends every session of an account's holder, except the one with the token `except`. */
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
