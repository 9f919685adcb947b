import type { FastifyReply } from 'fastify'
import { HOLDER_SESSION_SECONDS } from '../../../../auth/records/browser-session.ts'
import type { HolderSession } from '../../../../auth/holder-session.ts'
import type { PageDeps } from '../visitor/page-deps.ts'

/** Sets the session cookie after a sign-in. */
export function startSession(
  reply: FastifyReply,
  { cookie }: PageDeps,
  { session }: HolderSession,
): void {
  cookie.set(reply, session, HOLDER_SESSION_SECONDS)
}
