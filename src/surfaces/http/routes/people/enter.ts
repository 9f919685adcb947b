import type { FastifyReply } from 'fastify'
import { HOLDER_SESSION_SECONDS } from '../../../../auth/records/browser-session.ts'
import type { SignedIn } from '../../../../auth/signed-in.ts'
import type { PageParts } from '../visitor/page-parts.ts'

/** Lets this browser be the one that was signed in. */
export function enter(reply: FastifyReply, { cookie }: PageParts, { session }: SignedIn): void {
  cookie.set(reply, session, HOLDER_SESSION_SECONDS)
}
