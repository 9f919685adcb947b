import { hash, randomBytes } from 'node:crypto'
import type { Database } from '../db/database.ts'
import type { Caller } from '../keys/caller.ts'
import { findCaller } from '../keys/find-caller.ts'
import { hashSecret } from '../keys/format.ts'
import type { Clock } from '../lib/clock.ts'

export const PAGE_SESSION_SECONDS = 12 * 3600

/** Of one key at once: people with many browsers, and no more rows than that for who signs in without end. */
export const MOST_PAGE_SESSIONS = 100

const TOKEN_BYTES = 32
const TOKEN = /^[\w-]{43}$/

type Context = { readonly database: Database; readonly now: Clock }

/**
 * Signs the holder of a key's secret in to the pages; beyond so many sign-ins with it the oldest end. Returns the token
 * for the cookie; only its hash is kept.
 */
export async function openPageSession({ database, now }: Context, secret: string): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const nowMs = now()
  const [tokenHash, secretHash] = [hashToken(token), Buffer.from(hashSecret(secret), 'hex')]
  await database.query('delete from page_sessions where expires_at <= $1', [new Date(nowMs)])
  await database.query('insert into page_sessions (token_hash, secret_hash, expires_at) values ($1, $2, $3)', [tokenHash, secretHash, new Date(nowMs + PAGE_SESSION_SECONDS * 1000)])
  await database.query(END_OLDEST, [secretHash, tokenHash, MOST_PAGE_SESSIONS - 1])
  return token
}

// Several sign-ins at once leave each other's to each other.
const END_OLDEST = `
  delete from page_sessions where token_hash in (
    select token_hash from page_sessions where secret_hash = $1 and token_hash <> $2 order by expires_at desc offset $3 for update skip locked
  )`

/** Who is signed in, or null: no such session, its time is over, or its secret was revoked or rotated away. */
export async function readPageSession({ database, now }: Context, token: string): Promise<Caller | null> {
  if (!TOKEN.test(token)) return null
  const nowMs = now()
  const { rows } = await database.query<{ secret_hash: Buffer }>('select secret_hash from page_sessions where token_hash = $1 and expires_at > $2', [hashToken(token), new Date(nowMs)])
  const secretHash = rows[0]?.secret_hash
  if (secretHash === undefined) return null
  return (await findCaller(database, secretHash.toString('hex'), nowMs))?.caller ?? null
}

export async function endPageSession(database: Database, token: string): Promise<void> {
  await database.query('delete from page_sessions where token_hash = $1', [hashToken(token)])
}

function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}
