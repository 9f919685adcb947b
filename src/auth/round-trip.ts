import type { AttemptLimits } from './attempts.ts'
import { createChallenge, MOST_CHALLENGES, takeChallenge, type ChallengeUse } from './challenge.ts'
import type { AuthDeps } from './auth-deps.ts'
import type { RoundTrip } from './auth-services.ts'

/** Where a provider sends people back to, behind the public address. */
export const CALLBACK_PATH = '/sign-in/provider/back'

/** As long as somebody may be busy at the provider. */
export const ROUND_TRIP_SECONDS = 600

/** Whoever begins has told no address yet, so it is the place alone that counts: of a whole company, perhaps. */
export const ROUND_TRIP_LIMITS = {
  fromAddress: 500,
  inAll: MOST_CHALLENGES,
  windowMs: 15 * 60_000,
} as const satisfies AttemptLimits

const USE: ChallengeUse = { purpose: 'provider', accountId: null }
const STATE = /^[\w-]{1,100}$/

/** `next`: the page that the person wanted. */
export type StoredRoundTrip = RoundTrip & { readonly next: string }

/** Keeps what is needed when the browser comes back. Returns the token for its cookie. */
export function storeRoundTrip(context: AuthDeps, roundTrip: StoredRoundTrip): Promise<string> {
  return createChallenge(context, { ...USE, seconds: ROUND_TRIP_SECONDS, facts: roundTrip })
}

/** Hands it out once, to the browser that began it with this `state`; a browser with two of them under way keeps the other. Null for any other. */
export async function takeRoundTrip(
  context: AuthDeps,
  token: string,
  state: string,
): Promise<StoredRoundTrip | null> {
  return STATE.test(state) ? takeChallenge<StoredRoundTrip>(context, USE, token, { state }) : null
}
