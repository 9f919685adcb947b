import type { FastifyReply } from 'fastify'
import type { SignInOutcome } from '../../../../auth/sign-up.ts'
import type { PageDeps } from '../visitor/page-deps.ts'
import { sendPage } from '../visitor/send-page.ts'
import { startSession } from './start-session.ts'
import { newAccountPage } from './welcome-pages.ts'

/** Completes a sign-in, and logs a new account without welcome credit. */
export function sendSignedIn(
  reply: FastifyReply,
  pages: PageDeps,
  entered: SignInOutcome,
  next: string,
): FastifyReply {
  logMissingCredit(reply, entered)
  return sendSignedInAgain(reply, pages, entered, next)
}

export function logMissingCredit(reply: FastifyReply, { created }: SignInOutcome): void {
  if (created !== null && !created.hasWelcomeCredit)
    reply.request.log.warn(
      { account: created.account.id },
      'new account without welcome credit: WELCOME_CREDITS_PER_DAY is used up',
    )
}

/** Starts the session, then shows the keys of a new account or redirects to the next page. */
export function sendSignedInAgain(
  reply: FastifyReply,
  pages: PageDeps,
  entered: SignInOutcome,
  next: string,
): FastifyReply {
  startSession(reply, pages, entered)
  return entered.created === null
    ? reply.redirect(next, 303)
    : sendPage(reply, 200, newAccountPage(pages.site, entered.created, next))
}
