import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isWelcomeCreditLeft } from '../../../../accounts/welcome-credit.ts'
import { AppError } from '../../../../errors/app-error.ts'
import { listAccounts } from '../../../../auth/members/list-accounts.ts'
import { parsePublicId } from '../../../../lib/ids.ts'
import { findPerson } from '../../../../auth/records/find-person.ts'
import type { Attempts } from '../../../../auth/attempts.ts'
import type { SignInOutcome } from '../../../../auth/sign-up.ts'
import { signInByLink, readLink } from '../../../../auth/sign-in-link.ts'
import { findSignInAnswer, storeSignInAnswer, onceTokenOf } from '../visitor/answer-form-once.ts'
import { fieldOf, FORM_LIMIT_BYTES } from '../visitor/forms.ts'
import { nextOf } from '../visitor/next-page.ts'
import { requireOwnForm } from '../visitor/own-form.ts'
import { sendPage, sendErrorPage, describeError } from '../visitor/send-page.ts'
import { findSignedIn } from './find-signed-in.ts'
import { expiredLinkPage } from './link-pages.ts'
import type { SignInDeps } from './sign-in-deps.ts'
import { sendSignedIn, sendSignedInAgain } from './send-signed-in.ts'
import { welcomePage } from './welcome-pages.ts'
import { requires } from '../../guards/requires.ts'

// The URL of this page contains the token, which no Referer may reveal. Forms need an Origin header, which
// browsers omit under a no-referrer policy.
const WITHOUT_ADDRESS = 'strict-origin'

/** The page of an email or operator link, which sets a password and signs in. `attempts`: shared with the sign-in form. */
export function welcomeRoutes(
  app: FastifyInstance,
  { pages, people: { welcomeCreditsPerDay: mostPerDay, passwordCost }, methods }: SignInDeps,
  attempts: Attempts,
): void {
  const { database, now, site } = pages
  const context = { database, now, passwordCost }

  app.get('/welcome', requires('public'), async (request, reply) =>
    showForm(request, reply, fieldOf(request.query, 'token')),
  )

  app.post(
    '/welcome',
    { bodyLimit: FORM_LIMIT_BYTES, ...requires('public') },
    async (request, reply) => {
      requireOwnForm(request, site.publicUrl)
      const [token, next] = [fieldOf(request.body, 'token'), nextOf(request.body)]
      try {
        // Limits password hashing, which concurrent requests with one link could otherwise exhaust.
        attempts.count({ address: request.ip })
        const entered = await signInByLink(context, token, fieldOf(request.body, 'password'), {
          welcomeCreditsPerDay: mostPerDay,
          alongside: (tx, first) =>
            storeSignInAnswer(
              tx,
              request,
              { accountId: first.accountId, token: onceTokenOf(request.body), nowMs: now() },
              first,
            ),
        })
        return sendSignedIn(reply, pages, entered, next)
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        const first = error.code === 'sign_in_link_invalid' ? await enteredBefore(request) : null
        if (first !== null) return sendSignedInAgain(reply, pages, first, next)
        return showForm(request, reply, token, error)
      }
    },
  )

  /** The result of the same form, if an earlier double click or reload used the link. */
  async function enteredBefore(request: FastifyRequest): Promise<SignInOutcome | null> {
    const { personId } = await findPerson(database, fieldOf(request.body, 'email'))
    const accounts = personId === null ? [] : await listAccounts(database, personId)
    const token = onceTokenOf(request.body)
    for (const { id } of accounts) {
      const accountId = parsePublicId('account', id) ?? ''
      const found = await findSignInAnswer<SignInOutcome>(database, request, { accountId, token })
      if (found !== null) return found
    }
    return null
  }

  /** `refusal`: the error of the last attempt. */
  async function showForm(
    request: FastifyRequest,
    reply: FastifyReply,
    token: string,
    refusal?: AppError,
  ): Promise<FastifyReply> {
    try {
      const link = await readLink(context, token)
      const hasCredit =
        link.isNew && (await isWelcomeCreditLeft(database, { mostPerDay, nowMs: now() }))
      if (refusal === undefined)
        return sendPage(reply, 200, welcomePage(site, { link, hasCredit, token }), WITHOUT_ADDRESS)
      return sendErrorPage(
        reply,
        refusal,
        welcomePage(site, { link, hasCredit, token, refusal: describeError(refusal) }),
        WITHOUT_ADDRESS,
      )
    } catch (error) {
      if (error instanceof AppError && error.code === 'sign_in_link_invalid')
        return sendErrorPage(
          reply,
          error,
          expiredLinkPage(
            site,
            describeError(error),
            methods,
            (await findSignedIn(pages, request))?.email ?? null,
          ),
          WITHOUT_ADDRESS,
        )
      throw error
    }
  }
}
