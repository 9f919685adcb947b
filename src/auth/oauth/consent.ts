import { hash } from 'node:crypto'
import type { Caller } from '../../keys/caller.ts'
import type { AttemptLimits } from '../attempts.ts'
import { createChallenge, MOST_CHALLENGES, takeChallenge } from '../challenge.ts'
import type { AuthorizationRequest } from './authorization-request.ts'
import type { Client } from './client.ts'
import type { OAuthDeps } from './oauth-deps.ts'

/** The time to decide on a consent page. */
const CONSENT_SECONDS = 15 * 60

/** Consent pages, by account. Each stores a row and may fetch the metadata of a client. */
export const CONSENT_LIMITS = {
  byAccount: 100,
  inAll: MOST_CHALLENGES,
  windowMs: CONSENT_SECONDS * 1000,
} as const satisfies AttemptLimits

/** The request that a consent page shows. */
export type PendingConsent = {
  readonly client: Pick<Client, 'id' | 'kind' | 'name'>
  readonly request: AuthorizationRequest
}

/** The visitor of a consent page, and the session of their browser. */
export type Consenter = { readonly caller: Pick<Caller, 'accountId'>; readonly session: string }

type Facts = PendingConsent & { readonly session: string }

/**
 * Stores the request of a consent page, and returns the token of its form. The form works once, and
 * only for this session, so no other site can submit it. The request cannot change in between.
 */
export function openConsent(
  deps: Pick<OAuthDeps, 'database' | 'now'>,
  { caller, session }: Consenter,
  { client, request }: PendingConsent,
): Promise<string> {
  return createChallenge(deps, {
    purpose: 'consent',
    ownerId: caller.accountId,
    seconds: CONSENT_SECONDS,
    facts: {
      client: { id: client.id, kind: client.kind, name: client.name },
      request,
      session: fingerprintOf(session),
    } satisfies Facts,
  })
}

/** Returns the request of the form once; null if it was used, has expired, or belongs to another session. */
export function takeConsent(
  deps: Pick<OAuthDeps, 'database' | 'now'>,
  { caller, session }: Consenter,
  token: string,
): Promise<PendingConsent | null> {
  return takeChallenge<Facts>(deps, { purpose: 'consent', ownerId: caller.accountId }, token, {
    session: fingerprintOf(session),
  })
}

function fingerprintOf(session: string): string {
  return hash('sha256', session, 'base64url')
}
