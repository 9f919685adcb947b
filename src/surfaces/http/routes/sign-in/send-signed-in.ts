import type { FastifyReply } from 'fastify'
import type { Entered } from '../../../../auth/entered.ts'
import type { PageDeps } from '../visitor/page-deps.ts'
import { sendPage } from '../visitor/send-page.ts'
import { startSession } from './start-session.ts'
import { newAccountPage } from './welcome-pages.ts'

/** Lets whoever came in go on, and tells the operator of an account that has no credit to begin with. */
export function sendSignedIn(
  reply: FastifyReply,
  pages: PageDeps,
  entered: Entered,
  next: string,
): FastifyReply {
  const { created } = entered
  if (created !== null && !created.hasWelcomeCredit)
    reply.request.log.warn(
      { account: created.account.id },
      'A new account has no welcome credit: as many as WELCOME_CREDITS_PER_DAY says were given today.',
    )
  return sendSignedInAgain(reply, pages, entered, next)
}

/** Leads whoever came in to the page that they wanted; whose account was made just now sees its keys first. */
export function sendSignedInAgain(
  reply: FastifyReply,
  pages: PageDeps,
  entered: Entered,
  next: string,
): FastifyReply {
  startSession(reply, pages, entered)
  return entered.created === null
    ? reply.redirect(next, 303)
    : sendPage(reply, 200, newAccountPage(pages.site, entered.created, next))
}
