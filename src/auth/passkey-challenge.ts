import type { Id } from '../lib/ids.ts'
import type { AttemptLimits } from './attempts.ts'
import { createChallenge, MOST_CHALLENGES, takeChallenge } from './challenge.ts'
import type { AuthDeps } from './auth-deps.ts'

/** How long a browser may take to make a passkey, or to answer with one. */
export const PASSKEY_SECONDS = 5 * 60

export const PASSKEY_LIMITS = {
  fromAddress: 300,
  inAll: MOST_CHALLENGES,
  windowMs: PASSKEY_SECONDS * 1000,
} as const satisfies AttemptLimits

/** What a browser is asked for, and by which account; null where it is yet to say whose it is. */
export type PasskeyUse =
  | { readonly purpose: 'add_passkey'; readonly accountId: Id }
  | { readonly purpose: 'sign_in_by_passkey'; readonly accountId: null }

/** What a passkey is to sign. */
export function createPasskeyChallenge(context: AuthDeps, use: PasskeyUse): Promise<string> {
  return createChallenge(context, { ...use, seconds: PASSKEY_SECONDS, facts: {} })
}

/** Whether a passkey of this use was asked to sign this, in time. It is asked no more then. */
export async function takePasskeyChallenge(
  context: AuthDeps,
  use: PasskeyUse,
  challenge: string,
): Promise<boolean> {
  return (await takeChallenge(context, use, challenge)) !== null
}
