import type { Database, Query } from '../../db/database.ts'
import { AppError } from '../../errors/app-error.ts'
import type { Caller } from '../../keys/caller.ts'
import { findCaller, findPrimaryCaller } from '../../keys/find-caller.ts'
import { isExpired } from '../../keys/policy/expiry.ts'
import { hashSecret } from '../../keys/format.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Id } from '../../lib/ids.ts'
import type { Mode } from '../../lib/mode.ts'
import type { Role } from '../../lib/permissions.ts'
import { hashOfToken, newToken } from '../../lib/token.ts'
import { chooseAccount, OPEN_ACCOUNT } from './choose-account.ts'

export const KEY_SESSION_SECONDS = 12 * 3600
export const PERSON_SESSION_SECONDS = 14 * 24 * 3600

/**
 * Concurrent sessions of one key or person. Enough for many browsers, and a limit for repeated
 * sign-ins.
 */
export const MOST_PAGE_SESSIONS = 100

/** `database`: the database itself, or a transaction in progress. */
type SessionDeps = { readonly database: { readonly query: Query }; readonly now: Clock }

/** A visitor of the pages. */
export type Visitor = {
  /** The key whose rights the visitor has: their own, or the account's primary key of the mode. */
  readonly caller: Caller
  /** The email address of the signed-in person. Null for a session of a key. */
  readonly email: string | null
  /** The role of the signed-in person in the account. Null for a session of a key. */
  readonly role: Role | null
  /** Whether it is a person of an operator's account, whose owners may use the operator console. */
  readonly isOperator?: boolean
  /** The open accounts of the signed-in person, for pages. Absent for a session of a key. */
  readonly accounts?: readonly OwnAccount[]
}

/** An account of a person, by its public id, with its address as the name. */
export type OwnAccount = { readonly id: string; readonly name: string; readonly role: Role }

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
 * The session of a signed-in person. It is opened in the transaction that uses the proof, so a
 * concurrent end of all sessions either precedes it or includes it.
 */
export type PersonSession = {
  readonly personId: Id
  /** The account that the person sees. */
  readonly accountId: Id
  /** The token for the browser's cookie. */
  readonly session: string
}

/**
 * Opens a session for a person, in the account `wanted` if they are a member, else in the one that they used last. Throws AppError sign_in_refused when all
 * their accounts are closed.
 */
export async function openPersonSession(
  deps: SessionDeps,
  personId: Id,
  wanted: Id | null = null,
): Promise<PersonSession> {
  const accountId = await chooseAccount(deps.database, personId, wanted)
  const session = await openSession(deps, {
    column: 'person_id',
    value: personId,
    accountId,
    seconds: PERSON_SESSION_SECONDS,
  })
  await noteVisit(deps, { personId, accountId })
  return { personId, accountId, session }
}

/**
 * Shows a person's browser another one of their accounts from now on. Throws AppError not_found for an account
 * of which they are no member, or which is closed.
 */
export async function switchAccount(
  deps: SessionDeps,
  { personId, accountId, session }: PersonSession,
): Promise<void> {
  if (!(await moveSession(deps.database, { personId, accountId, session })))
    throw new AppError('not_found', 'You are not a member of this account.', {
      fix: 'Ask one of its owners for an invitation.',
    })
  await noteVisit(deps, { personId, accountId })
}

/** Returns false for an account of which the person is no member, or which is closed. */
export async function moveSession(
  { query }: { readonly query: Query },
  { personId, accountId, session }: PersonSession,
): Promise<boolean> {
  const { count } = await query(
    `update page_sessions set account_id = $3 where token_hash = $1 and person_id = $2
       and exists (select from members where account_id = $3 and person_id = $2 and ${OPEN_ACCOUNT})`,
    [hashOfToken(session), personId, accountId],
  )
  return count > 0
}

async function noteVisit(
  { database, now }: SessionDeps,
  { personId, accountId }: Pick<PersonSession, 'personId' | 'accountId'>,
): Promise<void> {
  await database.query(
    'update members set last_seen_at = $3 where account_id = $1 and person_id = $2',
    [accountId, personId, new Date(now())],
  )
}

type NewSession = {
  readonly column: 'secret_hash' | 'person_id'
  readonly value: Buffer | Id
  readonly accountId?: Id
  readonly seconds: number
}

async function openSession(
  { database, now }: SessionDeps,
  { column, value, accountId, seconds }: NewSession,
): Promise<string> {
  const [token, nowMs] = [newToken(), now()]
  const tokenHash = hashOfToken(token)
  // Skips sessions that another transaction is ending, so that it waits for no lock.
  await database.query(
    'delete from page_sessions where token_hash in (select token_hash from page_sessions where expires_at <= $1 for update skip locked)',
    [new Date(nowMs)],
  )
  await database.query(
    `insert into page_sessions (token_hash, ${column}, expires_at, account_id) values ($1, $2, $3, $4)`,
    [tokenHash, value, new Date(nowMs + seconds * 1000), accountId ?? null],
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
 * expired, the person is no longer a member, or the account is closed. A person sees the wallet of
 * `mode`; a key has its own mode.
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

/** `secretHash` in hexadecimal; null for a person. `role`: null for a key, and for a former member. */
type Session = {
  readonly secretHash: string | null
  readonly personId: Id | null
  readonly accountId: Id | null
  readonly email: string | null
  readonly isOperator: boolean
  readonly role: Role | null
}

async function findSession({ database, now }: SessionDeps, token: string): Promise<Session | null> {
  const { rows } = await database.query<{
    secret_hash: Buffer | null
    person_id: Id | null
    account_id: Id | null
    email: string | null
    is_operator: boolean | null
    role: Role | null
  }>(
    `select secret_hash, session.person_id, session.account_id, people.email, role, is_operator from page_sessions as session
       left join accounts on accounts.id = session.account_id
       left join people on people.id = session.person_id
       left join members on members.account_id = session.account_id and members.person_id = session.person_id
       where token_hash = $1 and expires_at > $2`,
    [hashOfToken(token), new Date(now())],
  )
  const [row] = rows
  return row === undefined
    ? null
    : {
        secretHash: row.secret_hash?.toString('hex') ?? null,
        personId: row.person_id,
        accountId: row.account_id,
        email: row.email,
        isOperator: row.is_operator === true,
        role: row.role,
      }
}

async function findVisitor(
  { database, now }: SessionDeps,
  session: Session | null,
  mode: Mode,
): Promise<Visitor | null> {
  if (session === null) return null
  const { secretHash, email, role, isOperator } = session
  const caller =
    secretHash === null
      ? await findMember(database, session, mode)
      : ((await findCaller(database, secretHash, now()))?.caller ?? null)
  return caller === null || isExpired(caller, now()) ? null : { caller, email, role, isOperator }
}

/** A member acts with the rights of the primary key, limited by their role. */
async function findMember(
  database: SessionDeps['database'],
  { personId, accountId, role }: Session,
  mode: Mode,
): Promise<Caller | null> {
  if (personId === null || accountId === null || role === null) return null
  const caller = await findPrimaryCaller(database, accountId, mode)
  return caller === null ? null : { ...caller, member: { personId, role } }
}

/** How long ago a person signed in with this session, in milliseconds; Infinity for any other session. */
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
    : now() - (expiresMs - PERSON_SESSION_SECONDS * 1000)
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

/** Ends every session of a person, except the one with the token `except`. */
export async function endSessionsOfPerson(
  { query }: { readonly query: Query },
  personId: Id,
  except = '',
): Promise<void> {
  await query('delete from page_sessions where person_id = $1 and token_hash is distinct from $2', [
    personId,
    hashOfToken(except),
  ])
}

/** Ends every session that shows an account, of all its members or of one. */
export async function endSessionsOfAccount(
  { query }: { readonly query: Query },
  accountId: Id,
  personId: Id | null = null,
): Promise<void> {
  await query(
    'delete from page_sessions where account_id = $1 and ($2::uuid is null or person_id = $2)',
    [accountId, personId],
  )
}
