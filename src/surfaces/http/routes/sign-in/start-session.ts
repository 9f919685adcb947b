import type { FastifyReply } from 'fastify'
import { HOLDER_SESSION_SECONDS } from '../../../../auth/records/browser-session.ts'
import type { SignedIn } from '../../../../auth/signed-in.ts'
import type { PageDeps } from '../visitor/page-deps.ts'

/** Lets this browser be the one that was signed in. */
export function startSession(
  reply: FastifyReply,
  { cookie }: PageDeps,
  { session }: SignedIn,
): void {
  cookie.set(reply, session, HOLDER_SESSION_SECONDS)
}
