import type { Id } from '../lib/ids.ts'
import { hashOfToken, newToken } from '../lib/token.ts'
import type { AttemptLimits } from './attempts.ts'
import type { PeopleContext } from './context.ts'

export const CHALLENGE_SECONDS = 5 * 60

/** How many may be made, so that strangers cannot fill the table: from one network address, and from all together. */
export const CHALLENGE_LIMITS: AttemptLimits = { each: 300, fromAddress: 300, forEmail: 50_000, windowMs: CHALLENGE_SECONDS * 1000 }

/** What a browser is asked for, and by which account; null where it is yet to say whose it is. */
export type ChallengeUse = { readonly purpose: string; readonly accountId: Id | null }

/** The token of a question that a browser answers once, within five minutes; only its hash is kept. */
export async function makeChallenge({ database, now }: PeopleContext, { purpose, accountId }: ChallengeUse): Promise<string> {
  const [token, nowMs] = [newToken(), now()]
  await database.query('delete from sign_in_challenges where expires_at <= $1', [new Date(nowMs)])
  await database.query("insert into sign_in_challenges (token_hash, purpose, account_id, facts, expires_at) values ($1, $2, $3, '{}', $4)", [hashOfToken(token), purpose, accountId, new Date(nowMs + CHALLENGE_SECONDS * 1000)])
  return token
}

/** Whether this is a question of this use, and in time. It is none any more then. */
export async function takeChallenge({ database, now }: PeopleContext, { purpose, accountId }: ChallengeUse, token: string): Promise<boolean> {
  const { count } = await database.query('delete from sign_in_challenges where token_hash = $1 and purpose = $2 and account_id is not distinct from $3 and expires_at > $4', [hashOfToken(token), purpose, accountId, new Date(now())])
  return count > 0
}
