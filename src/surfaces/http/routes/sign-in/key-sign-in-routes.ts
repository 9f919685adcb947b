import type { FastifyInstance } from 'fastify'
import {
  endPageSession,
  KEY_SESSION_SECONDS,
  openKeySession,
} from '../../../../auth/records/browser-session.ts'
import { AppError } from '../../../../errors/app-error.ts'
import type { ErrorCode } from '../../../../errors/catalog.ts'
import type { Authenticator } from '../../../../keys/authenticate.ts'
import { requireAddress } from '../../../../keys/policy/require-address.ts'
import { fieldOf, FORM_LIMIT_BYTES, redirectFormGet } from '../visitor/forms.ts'
import { nextOf } from '../visitor/next-page.ts'
import { requireOwnForm } from '../visitor/own-form.ts'
import type { PageDeps } from '../visitor/page-deps.ts'
import { sendErrorPage, describeError } from '../visitor/send-page.ts'
import { signInPage, type SignInMethods } from './sign-in-page.ts'
import { requires } from '../../guards/requires.ts'

const REFUSALS: readonly ErrorCode[] = ['invalid_token', 'key_expired', 'ip_not_allowed']

type Deps = {
  readonly pages: PageDeps
  readonly methods: SignInMethods
  readonly authenticator: Pick<Authenticator, 'authenticate'>
}

/** The forms to sign in with a key, and to sign out. */
export function keySignInRoutes(
  app: FastifyInstance,
  { pages, methods, authenticator }: Deps,
): void {
  const { database, now, cookie, site } = pages
  redirectFormGet(app, '/balance/sign-in')
  redirectFormGet(app, '/balance/sign-out')

  app.post(
    '/balance/sign-in',
    { bodyLimit: FORM_LIMIT_BYTES, ...requires('public') },
    async (request, reply) => {
      requireOwnForm(request, site.publicUrl)
      const secret = fieldOf(request.body, 'key').trim()
      const next = nextOf(request.body)
      try {
        const caller = await authenticator.authenticate(secret)
        requireAddress(caller, request)
      } catch (error) {
        if (error instanceof AppError && REFUSALS.includes(error.code))
          return sendErrorPage(
            reply,
            error,
            signInPage(site, methods, {
              next,
              refusal: describeError(error),
              ...(error.code === 'invalid_token' ? { refusedField: 'key' as const } : {}),
            }),
          )
        throw error
      }
      cookie.set(reply, await openKeySession({ database, now }, secret), KEY_SESSION_SECONDS)
      // Only holders can open the account page.
      return reply.redirect(next.startsWith('/account') ? '/balance' : next, 303)
    },
  )

  app.post(
    '/balance/sign-out',
    { bodyLimit: FORM_LIMIT_BYTES, ...requires('public') },
    async (request, reply) => {
      requireOwnForm(request, site.publicUrl)
      const token = cookie.read(request)
      if (token !== null) await endPageSession(database, token)
      cookie.clear(reply)
      return reply.redirect('/balance', 303)
    },
  )
}
