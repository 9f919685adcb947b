import type { AttemptLimits } from './attempts.ts'
import { makeChallenge, MOST_CHALLENGES, takeChallenge, type ChallengeUse } from './challenge.ts'
import type { PeopleContext } from './context.ts'
import type { RoundTrip } from './parts.ts'

/** Where a provider sends people back to, behind the public address. */
export const WAY_BACK = '/sign-in/provider/back'

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
export type KeptRoundTrip = RoundTrip & { readonly next: string }

/** Keeps what is needed when the browser comes back. Returns the token for its cookie. */
export function keepRoundTrip(context: PeopleContext, roundTrip: KeptRoundTrip): Promise<string> {
  return makeChallenge(context, { ...USE, seconds: ROUND_TRIP_SECONDS, facts: roundTrip })
}

/** Hands it out once, to the browser that began it with this `state`; a browser with two of them under way keeps the other. Null for any other. */
export async function takeRoundTrip(
  context: PeopleContext,
  token: string,
  state: string,
): Promise<KeptRoundTrip | null> {
  return STATE.test(state) ? takeChallenge<KeptRoundTrip>(context, USE, token, { state }) : null
}
