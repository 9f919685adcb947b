import type { Id } from '../lib/ids.ts'
import { hashOfToken, newToken } from '../lib/token.ts'
import type { AuthDeps } from './auth-deps.ts'

/** The purpose of a challenge, and its person or account. Null before they are known. */
export type ChallengeUse = { readonly purpose: string; readonly ownerId: Id | null }

export type NewChallenge = ChallengeUse & {
  readonly seconds: number
  /** Stored until the response. */
  readonly facts: object
}

/** Per kind and window, so that strangers cannot fill the table. */
export const MOST_CHALLENGES = 50_000

/** Creates a one-time challenge and returns its token. Only the hash is stored. */
export async function createChallenge(
  { database, now }: AuthDeps,
  { purpose, ownerId, seconds, facts }: NewChallenge,
): Promise<string> {
  const [token, nowMs] = [newToken(), now()]
  await database.query('delete from sign_in_challenges where expires_at <= $1', [new Date(nowMs)])
  await database.query(
    'insert into sign_in_challenges (token_hash, purpose, owner_id, facts, expires_at) values ($1, $2, $3, $4, $5)',
    [hashOfToken(token), purpose, ownerId, JSON.stringify(facts), new Date(nowMs + seconds * 1000)],
  )
  return token
}

/**
 * Deletes the challenge of this token and returns its facts. Null if it is unknown, expired, for
 * another use, or lacks `facts`.
 */
export async function takeChallenge<Facts extends object>(
  { database, now }: AuthDeps,
  { purpose, ownerId }: ChallengeUse,
  token: string,
  facts: Partial<Facts> = {},
): Promise<Facts | null> {
  const { rows } = await database.query<{ facts: Facts }>(
    'delete from sign_in_challenges where token_hash = $1 and purpose = $2 and owner_id is not distinct from $3 and facts @> $4 and expires_at > $5 returning facts',
    [hashOfToken(token), purpose, ownerId, JSON.stringify(facts), new Date(now())],
  )
  return rows[0]?.facts ?? null
}
