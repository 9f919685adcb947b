import { hashOfToken, newToken } from '../lib/token.ts'
import type { PeopleContext } from './context.ts'
import type { RoundTrip } from './parts.ts'

/** Where a provider sends people back to, behind the public address. */
export const WAY_BACK = '/sign-in/provider/back'

/** As long as somebody may be busy at the provider. */
export const ROUND_TRIP_SECONDS = 600

const PURPOSE = 'provider'
const STATE = /^[\w-]{1,100}$/

/** Keeps what is needed when the browser comes back. Returns the token for its cookie; only its hash is kept. */
export async function keepRoundTrip({ database, now }: PeopleContext, roundTrip: RoundTrip): Promise<string> {
  const [token, nowMs] = [newToken(), now()]
  await database.query('delete from sign_in_challenges where expires_at <= $1', [new Date(nowMs)])
  await database.query('insert into sign_in_challenges (token_hash, purpose, facts, expires_at) values ($1, $2, $3, $4)', [hashOfToken(token), PURPOSE, JSON.stringify(roundTrip), new Date(nowMs + ROUND_TRIP_SECONDS * 1000)])
  return token
}

/** Hands it out once, to the browser that began it with this `state`; a browser with two of them under way keeps the other. Null for any other. */
export async function takeRoundTrip({ database, now }: PeopleContext, token: string, state: string): Promise<RoundTrip | null> {
  if (!STATE.test(state)) return null
  const { rows } = await database.query<{ facts: RoundTrip }>(
    `delete from sign_in_challenges where token_hash = $1 and purpose = $2 and facts ->> 'state' = $3 and expires_at > $4 returning facts`,
    [hashOfToken(token), PURPOSE, state, new Date(now())],
  )
  return rows[0]?.facts ?? null
}
