import type { FastifyReply } from 'fastify'
import { HOLDER_SESSION_SECONDS, openHolderSession } from '../../../../accounts/page-session.ts'
import type { Id } from '../../../../lib/ids.ts'
import type { PageParts } from '../account/page-parts.ts'

/** Signs the holder of an account in, in this browser. Throws AppError sign_in_refused when the account is closed. */
export async function enter(reply: FastifyReply, { database, now, cookie }: PageParts, accountId: Id): Promise<void> {
  cookie.set(reply, await openHolderSession({ database, now }, accountId), HOLDER_SESSION_SECONDS)
}
