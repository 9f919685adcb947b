import type { Id } from '../lib/ids.ts'
import { hashOfToken, newToken } from '../lib/token.ts'
import type { AuthDeps } from './auth-deps.ts'

/** What a browser is asked for, and by which account; null where it is yet to say whose it is. */
export type ChallengeUse = { readonly purpose: string; readonly accountId: Id | null }

export type NewChallenge = ChallengeUse & {
  readonly seconds: number
  /** What is kept until the answer comes. */ readonly facts: object
}

/** Of each kind in its window, so that strangers cannot fill the table. */
export const MOST_CHALLENGES = 50_000

/** The token of a question that a browser answers once; only its hash is kept. */
export async function createChallenge(
  { database, now }: AuthDeps,
  { purpose, accountId, seconds, facts }: NewChallenge,
): Promise<string> {
  const [token, nowMs] = [newToken(), now()]
  await database.query('delete from sign_in_challenges where expires_at <= $1', [new Date(nowMs)])
  await database.query(
    'insert into sign_in_challenges (token_hash, purpose, account_id, facts, expires_at) values ($1, $2, $3, $4, $5)',
    [
      hashOfToken(token),
      purpose,
      accountId,
      JSON.stringify(facts),
      new Date(nowMs + seconds * 1000),
    ],
  )
  return token
}

/** What was kept of a question of this use, where it is in time and `facts` are among that; it is a question no more then. Null for any other. */
export async function takeChallenge<Facts extends object>(
  { database, now }: AuthDeps,
  { purpose, accountId }: ChallengeUse,
  token: string,
  facts: Partial<Facts> = {},
): Promise<Facts | null> {
  const { rows } = await database.query<{ facts: Facts }>(
    'delete from sign_in_challenges where token_hash = $1 and purpose = $2 and account_id is not distinct from $3 and facts @> $4 and expires_at > $5 returning facts',
    [hashOfToken(token), purpose, accountId, JSON.stringify(facts), new Date(now())],
  )
  return rows[0]?.facts ?? null
}
