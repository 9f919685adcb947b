import type { FastifyInstance } from 'fastify'
import { endPageSession, openPageSession } from '../../../../accounts/page-session.ts'
import type { Database } from '../../../../db/database.ts'
import { AppError } from '../../../../errors/app-error.ts'
import type { Authenticator } from '../../../../keys/authenticate.ts'
import type { Clock } from '../../../../lib/clock.ts'
import type { Site } from '../../html/layout.ts'
import { requireOwnForm } from './own-form.ts'
import type { PageCookie } from './page-cookie.ts'
import { sendPage } from './send-page.ts'
import { signInPage } from './sign-in-page.ts'

export const FORM_LIMIT_BYTES = 4096

type Parts = {
  readonly database: Database
  readonly now: Clock
  readonly authenticator: Pick<Authenticator, 'authenticate'>
  readonly cookie: PageCookie
  readonly site: Site
}

/** The forms by which a visitor of /balance signs in with a key, and out. */
export function signInRoutes(app: FastifyInstance, { database, now, authenticator, cookie, site }: Parts): void {
  leadsBack(app, '/balance/sign-in')
  leadsBack(app, '/balance/sign-out')

  app.post('/balance/sign-in', { bodyLimit: FORM_LIMIT_BYTES }, async (request, reply) => {
    requireOwnForm(request, site.publicUrl)
    const { key } = (request.body ?? {}) as { key?: unknown }
    const secret = typeof key === 'string' ? key.trim() : ''
    try {
      await authenticator.authenticate(secret)
    } catch (error) {
      if (error instanceof AppError && error.code === 'invalid_token') return sendPage(reply, 401, signInPage(site, `${error.message} ${error.fix}`))
      throw error
    }
    cookie.set(reply, await openPageSession({ database, now }, secret))
    return reply.redirect('/balance', 303)
  })

  app.post('/balance/sign-out', { bodyLimit: FORM_LIMIT_BYTES }, async (request, reply) => {
    requireOwnForm(request, site.publicUrl)
    const token = cookie.read(request)
    if (token !== null) await endPageSession(database, token)
    cookie.clear(reply)
    return reply.redirect('/balance', 303)
  })
}

/** Where the browser stands after a form was refused. Asked for again it is the page, and no error about methods. */
export function leadsBack(app: FastifyInstance, form: string): void {
  app.get(form, async (_request, reply) => reply.redirect('/balance', 303))
}
