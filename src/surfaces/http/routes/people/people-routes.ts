import type { FastifyInstance } from 'fastify'
import { AppError } from '../../../../errors/app-error.ts'
import { Attempts, SIGN_IN_LIMITS } from '../../../../auth/attempts.ts'
import type { PeopleParts } from '../../../../auth/parts.ts'
import { signInByPassword } from '../../../../auth/sign-in-by-password.ts'
import { fieldOf, FORM_LIMIT_BYTES } from '../visitor/forms.ts'
import { nextOf } from '../visitor/next-page.ts'
import { requireOwnForm } from '../visitor/own-form.ts'
import type { PageParts } from '../visitor/page-parts.ts'
import { sendPage, sendRefusal, wordsOf } from '../visitor/send-page.ts'
import { accountPageRoutes } from './account-page-routes.ts'
import { enter } from './enter.ts'
import { holderOf } from './holder.ts'
import { linkRoutes } from './link-routes.ts'
import { passkeyRoutes } from './passkey-routes.ts'
import { providerRoutes } from './provider-routes.ts'
import { signInPage, type SignInWays } from './sign-in-page.ts'
import { welcomeRoutes } from './welcome-routes.ts'

export type PeopleOptions = {
  readonly parts: PageParts
  readonly people: PeopleParts
  readonly ways: SignInWays
}

/** How the holders of accounts sign in. Relies on `acceptForms`. */
export async function peopleRoutes(app: FastifyInstance, options: PeopleOptions): Promise<void> {
  const { parts, people, ways } = options
  linkRoutes(app, options)
  const { database, now, site } = parts
  const context = { database, now, passwordCost: people.passwordCost }
  const attempts = new Attempts(SIGN_IN_LIMITS, now)
  welcomeRoutes(app, options, attempts)

  if (people.provider !== null)
    providerRoutes(app, { parts, people, provider: people.provider, ways })
  accountPageRoutes(app, { parts, people, ways, attempts })
  passkeyRoutes(app, parts)

  app.get('/sign-in', async (request, reply) => {
    const next = nextOf(request.query)
    // Whoever is in with a key may want to be in as the holder.
    return (await holderOf(parts, request)) === null
      ? sendPage(reply, 200, signInPage(site, ways, { next }))
      : reply.redirect(next, 303)
  })

  app.post('/sign-in', { bodyLimit: FORM_LIMIT_BYTES }, async (request, reply) => {
    requireOwnForm(request, site.publicUrl)
    const email = fieldOf(request.body, 'email')
    const next = nextOf(request.body)
    try {
      enter(
        reply,
        parts,
        await signInByPassword(context, attempts, {
          email,
          password: fieldOf(request.body, 'password'),
          address: request.ip,
        }),
      )
      return reply.redirect(next, 303)
    } catch (error) {
      if (error instanceof AppError)
        return sendRefusal(
          reply,
          error,
          signInPage(site, ways, { next, refusal: wordsOf(error), email }),
        )
      throw error
    }
  })
}
