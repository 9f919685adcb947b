import type { AttemptLimits } from './attempts.ts'
import { createChallenge, MOST_CHALLENGES, takeChallenge, type ChallengeUse } from './challenge.ts'
import type { AuthDeps } from './auth-deps.ts'
import type { RoundTrip } from './auth-services.ts'

/** The path to which a provider redirects, on the public URL. */
export const CALLBACK_PATH = '/sign-in/provider/back'

/** The time for a person to sign in at the provider. */
export const ROUND_TRIP_SECONDS = 600

/** No email address is known yet, so only the network counts. A whole company can share one. */
export const ROUND_TRIP_LIMITS = {
  fromAddress: 500,
  inAll: MOST_CHALLENGES,
  windowMs: 15 * 60_000,
} as const satisfies AttemptLimits

const USE: ChallengeUse = { purpose: 'provider', ownerId: null }
const STATE = /^[\w-]{1,100}$/

/** `next`: the page that the visitor requested. */
export type StoredRoundTrip = RoundTrip & { readonly next: string }

/** Stores the state of a round trip. Returns the token for the browser's cookie. */
export function storeRoundTrip(deps: AuthDeps, roundTrip: StoredRoundTrip): Promise<string> {
  return createChallenge(deps, { ...USE, seconds: ROUND_TRIP_SECONDS, facts: roundTrip })
}

/**
 * Returns the round trip once, to the browser that began it with this `state`, else null. Others of
 * the browser stay.
 */
export async function takeRoundTrip(
  deps: AuthDeps,
  token: string,
  state: string,
): Promise<StoredRoundTrip | null> {
  return STATE.test(state) ? takeChallenge<StoredRoundTrip>(deps, USE, token, { state }) : null
}
