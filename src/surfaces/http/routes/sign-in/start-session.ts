import type { FastifyReply } from 'fastify'
import {
  PERSON_SESSION_SECONDS,
  type PersonSession,
} from '../../../../auth/records/browser-session.ts'
import type { PageDeps } from '../visitor/page-deps.ts'

/** Sets the session cookie after a sign-in. */
export function startSession(
  reply: FastifyReply,
  { cookie }: PageDeps,
  { session }: PersonSession,
): void {
  cookie.set(reply, session, PERSON_SESSION_SECONDS)
}
