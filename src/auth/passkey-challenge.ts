import type { Id } from '../lib/ids.ts'
import type { AttemptLimits } from './attempts.ts'
import { createChallenge, MOST_CHALLENGES, takeChallenge } from './challenge.ts'
import type { AuthDeps } from './auth-deps.ts'

/** The time for a browser to create a passkey, or to sign in with one. */
export const PASSKEY_SECONDS = 5 * 60

export const PASSKEY_LIMITS = {
  fromAddress: 300,
  inAll: MOST_CHALLENGES,
  windowMs: PASSKEY_SECONDS * 1000,
} as const satisfies AttemptLimits

export type PasskeyUse =
  | { readonly purpose: 'add_passkey'; readonly ownerId: Id }
  | { readonly purpose: 'sign_in_by_passkey'; readonly ownerId: null }

/** Creates the challenge that a passkey signs. */
export function createPasskeyChallenge(deps: AuthDeps, use: PasskeyUse): Promise<string> {
  return createChallenge(deps, { ...use, seconds: PASSKEY_SECONDS, facts: {} })
}

/** Deletes the challenge. Returns whether it was valid for this use. */
export async function takePasskeyChallenge(
  deps: AuthDeps,
  use: PasskeyUse,
  challenge: string,
): Promise<boolean> {
  return (await takeChallenge(deps, use, challenge)) !== null
}
