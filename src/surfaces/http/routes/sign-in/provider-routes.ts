import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../../../errors/app-error.ts'
import { Attempts } from '../../../../auth/attempts.ts'
import { signInByIdentity } from '../../../../auth/sign-in-by-identity.ts'
import type { SignInOutcome } from '../../../../auth/sign-up.ts'
import type { AuthServices, Provider } from '../../../../auth/auth-services.ts'
import {
  storeRoundTrip,
  ROUND_TRIP_LIMITS,
  ROUND_TRIP_SECONDS,
  takeRoundTrip,
  CALLBACK_PATH,
} from '../../../../auth/round-trip.ts'
import { findSignInAnswer, storeSignInAnswer } from '../visitor/answer-form-once.ts'
import { FORM_LIMIT_BYTES, redirectFormGet } from '../visitor/forms.ts'
import { nextOf } from '../visitor/next-page.ts'
import { requireOwnForm } from '../visitor/own-form.ts'
import { pageCookie } from '../visitor/page-cookie.ts'
import type { PageDeps } from '../visitor/page-deps.ts'
import { sendPage, sendErrorPage, describeError } from '../visitor/send-page.ts'
import { providerRedirectPage } from './provider-pages.ts'
import { startSession } from './start-session.ts'
import { logMissingCredit, sendSignedIn, sendSignedInAgain } from './send-signed-in.ts'
import { signInPage, type SignInMethods } from './sign-in-page.ts'
import { requires } from '../../guards/requires.ts'

/** Shows the keys of an account that the provider's response created. */
const CREATED_PATH = '/sign-in/created'

function isOfCreated({ routeOptions }: FastifyRequest): boolean {
  return routeOptions.url === CREATED_PATH
}

export type ProviderDeps = {
  readonly pages: PageDeps
  readonly people: Pick<AuthServices, 'signUp' | 'welcomeCreditsPerDay'>
  readonly provider: Provider
  readonly methods: SignInMethods
}

/** Sign-in with an OpenID provider: the redirect to it, and its redirect back. Requires `acceptForms`. */
export function providerRoutes(
  app: FastifyInstance,
  { pages, people, provider, methods }: ProviderDeps,
): void {
  const { database, now, site, findVisitor } = pages
  const context = { database, now }
  const attempts = new Attempts(ROUND_TRIP_LIMITS, now)
  const cookie = pageCookie(site.publicUrl, 'tollgate-provider')
  redirectFormGet(app, '/sign-in/provider')

  app.post(
    '/sign-in/provider',
    { bodyLimit: FORM_LIMIT_BYTES, ...requires('public') },
    async (request, reply) => {
      requireOwnForm(request, site.publicUrl)
      const next = nextOf(request.body)
      try {
        attempts.count({ address: request.ip })
        const { url, roundTrip } = await provider.begin(`${site.publicUrl}${CALLBACK_PATH}`)
        cookie.set(reply, await storeRoundTrip(context, { ...roundTrip, next }), ROUND_TRIP_SECONDS)
        // A refresh instead of an HTTP redirect: form-action would have to name every origin of the provider.
        return sendPage(
          reply.header('refresh', `0; url=${url}`),
          200,
          providerRedirectPage(site, provider.name, url),
        )
      } catch (error) {
        return showError(reply, error, next)
      }
    },
  )

  app.get(CALLBACK_PATH, requires('public'), async (request, reply) => {
    let next = ''
    try {
      const query = new URL(request.url, site.publicUrl).search
      const token = cookie.read(request) ?? ''
      const kept = await takeRoundTrip(
        context,
        token,
        new URLSearchParams(query).get('state') ?? '',
      )
      if (kept === null) return await resumeSignIn(request, reply, token)
      next = kept.next
      const identity = await provider.finish(`${kept.redirectUrl}${query}`, kept)
      const entered = await signInByIdentity(context, identity, {
        makesAccount: people.signUp,
        welcomeCreditsPerDay: people.welcomeCreditsPerDay,
        // Only a new account has keys to show again. All others are redirected.
        alongside: async (tx, first) =>
          first.created === null
            ? undefined
            : storeSignInAnswer(
                tx,
                request,
                { accountId: first.accountId, token, nowMs: now(), place: CREATED_PATH },
                { first, next },
              ),
      })
      if (entered.created === null) return sendSignedIn(reply, pages, entered, next)
      logMissingCredit(reply, entered)
      startSession(reply, pages, entered)
      return await reply.redirect(CREATED_PATH, 303)
    } catch (error) {
      return showError(reply, error, next)
    }
  })

  // The address of the return has the code of the provider, which must not stay above the new keys.
  app.get(CREATED_PATH, requires('public'), async (request, reply) => {
    try {
      return await resumeSignIn(request, reply, cookie.read(request) ?? '')
    } catch (error) {
      return showError(reply, error, '')
    }
  })

  /** Handles a repeated return from the provider, such as by the back button: shows the new keys again, or redirects. */
  async function resumeSignIn(
    request: FastifyRequest,
    reply: FastifyReply,
    token: string,
  ): Promise<FastifyReply> {
    const visitor = await findVisitor(request)
    const kept =
      visitor === null
        ? null
        : await findSignInAnswer<{ first: SignInOutcome; next: string }>(database, request, {
            accountId: visitor.caller.accountId,
            token,
            place: CREATED_PATH,
          })
    if (kept !== null) {
      startSession(reply, pages, kept.first)
      return isOfCreated(request)
        ? sendSignedInAgain(reply, pages, kept.first, kept.next)
        : reply.redirect(CREATED_PATH, 303)
    }
    if (visitor !== null) return reply.redirect('/balance', 303)
    throw new AppError(
      'sign_in_refused',
      'This sign-in was already used, has expired, or started in another browser.',
      { fix: `Start again at ${site.publicUrl}/sign-in.` },
    )
  }

  function showError(reply: FastifyReply, error: unknown, next: string): FastifyReply {
    if (!(error instanceof AppError)) throw error
    return sendErrorPage(
      reply,
      error,
      signInPage(site, methods, { next, refusal: describeError(error) }),
    )
  }
}
