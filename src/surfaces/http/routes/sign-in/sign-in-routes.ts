import type { FastifyInstance } from 'fastify'
import { AppError } from '../../../../errors/app-error.ts'
import { Attempts, SIGN_IN_LIMITS } from '../../../../auth/attempts.ts'
import { signInByPassword } from '../../../../auth/sign-in-by-password.ts'
import { fieldOf, FORM_LIMIT_BYTES } from '../visitor/forms.ts'
import { nextOf } from '../visitor/next-page.ts'
import { requireOwnForm } from '../visitor/own-form.ts'
import { sendPage, sendErrorPage, describeError } from '../visitor/send-page.ts'
import { accountPageRoutes } from './account-page-routes.ts'
import { startSession } from './start-session.ts'
import { findSignedIn } from './find-signed-in.ts'
import { linkRoutes } from './link-routes.ts'
import { passkeyRoutes } from './passkey-routes.ts'
import { providerRoutes } from './provider-routes.ts'
import type { SignInDeps } from './sign-in-deps.ts'
import { signInPage } from './sign-in-page.ts'
import { welcomeRoutes } from './welcome-routes.ts'
import { requires } from '../../guards/requires.ts'

const LEFT = 'You left the account. Your sessions of it have ended.'

/** Sign-in, sign-up and account pages. Requires `acceptForms`. */
export async function signInRoutes(app: FastifyInstance, deps: SignInDeps): Promise<void> {
  const { pages, people, methods } = deps
  linkRoutes(app, deps)
  const { database, now, site } = pages
  const context = { database, now, passwordCost: people.passwordCost }
  const attempts = new Attempts(SIGN_IN_LIMITS, now)
  welcomeRoutes(app, deps, attempts)

  if (people.provider !== null)
    providerRoutes(app, { pages, people, provider: people.provider, methods })
  accountPageRoutes(app, { pages, people, methods, attempts })
  passkeyRoutes(app, pages)

  app.get('/sign-in', requires('public'), async (request, reply) => {
    const next = nextOf(request.query)
    // A session of a key can sign in as a person, and a person can confirm who they are.
    const isAgain = fieldOf(request.query, 'again') !== ''
    return isAgain || (await findSignedIn(pages, request)) === null
      ? sendPage(
          reply,
          200,
          signInPage(site, methods, {
            next,
            ...(fieldOf(request.query, 'done') === 'left' ? { confirmation: LEFT } : {}),
          }),
        )
      : reply.redirect(next, 303)
  })

  app.post(
    '/sign-in',
    { bodyLimit: FORM_LIMIT_BYTES, ...requires('public') },
    async (request, reply) => {
      requireOwnForm(request, site.publicUrl)
      const email = fieldOf(request.body, 'email')
      const next = nextOf(request.body)
      try {
        startSession(
          reply,
          pages,
          await signInByPassword(context, attempts, {
            email,
            password: fieldOf(request.body, 'password'),
            address: request.ip,
          }),
        )
        return reply.redirect(next, 303)
      } catch (error) {
        if (error instanceof AppError)
          return sendErrorPage(
            reply,
            error,
            signInPage(site, methods, {
              next,
              refusal: describeError(error),
              refusedField: 'password',
              email,
            }),
          )
        throw error
      }
    },
  )
}
