import type { FastifyReply } from 'fastify'
import { HOLDER_SESSION_SECONDS } from '../../../../accounts/page-session.ts'
import type { SignedIn } from '../../../../people/signed-in.ts'
import type { PageParts } from '../visitor/page-parts.ts'

/** Lets this browser be the one that was signed in. */
export function enter(reply: FastifyReply, { cookie }: PageParts, { session }: SignedIn): void {
  cookie.set(reply, session, HOLDER_SESSION_SECONDS)
}
