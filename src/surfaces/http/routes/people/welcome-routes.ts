import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../../../errors/app-error.ts'
import type { Attempts } from '../../../../people/attempts.ts'
import { enterByLink, readLink } from '../../../../people/entry-link.ts'
import { signInByPassword } from '../../../../people/sign-in-by-password.ts'
import { nextOf } from '../account/next-page.ts'
import { requireOwnForm } from '../account/own-form.ts'
import { fieldOf } from '../account/page-parts.ts'
import { sendPage, sendRefusal, wordsOf } from '../account/send-page.ts'
import { FORM_LIMIT_BYTES } from '../account/sign-in-routes.ts'
import { enter } from './enter.ts'
import { holderOf } from './holder.ts'
import { deadLinkPage } from './link-pages.ts'
import type { PeopleOptions } from './people-routes.ts'
import { newAccountPage, welcomePage } from './welcome-pages.ts'

// The address of this page holds the token. No request that the page makes repeats it; forms keep their Origin, which
// browsers leave out of pages without any referrer.
const WITHOUT_ADDRESS = 'strict-origin'

/** Where a link leads that was mailed or handed out: whoever opens it chooses a password, and is in. `attempts`: those that count passwords. */
export function welcomeRoutes(app: FastifyInstance, { parts, ways }: PeopleOptions, attempts: Attempts): void {
  const { database, now, site } = parts
  const context = { database, now }

  app.get('/welcome', async (request, reply) => showForm(request, reply, fieldOf(request.query, 'token')))

  app.post('/welcome', { bodyLimit: FORM_LIMIT_BYTES }, async (request, reply) => {
    requireOwnForm(request, site.publicUrl)
    const [token, next] = [fieldOf(request.body, 'token'), nextOf(request.body)]
    try {
      // One link opens the way to a place at deriving passwords for as many as send it at the same moment.
      attempts.count({ address: request.ip })
      const entered = await enterByLink(context, token, fieldOf(request.body, 'password'))
      enter(reply, parts, entered)
      return entered.created === null ? reply.redirect(next, 303) : sendPage(reply, 200, newAccountPage(site, entered.created, next))
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      if (error.code === 'sign_in_link_invalid' && (await enterAgain(request, reply))) return reply.redirect(next, 303)
      return showForm(request, reply, token, error)
    }
  })

  /**
   * Whether the form was sent again, by a double click or a reload, after it had used the link up: the password that was
   * chosen lets in as it does on the sign-in page.
   */
  async function enterAgain({ body, ip }: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    const email = fieldOf(body, 'email')
    if (email === '') return false
    try {
      enter(reply, parts, await signInByPassword(context, attempts, { email, password: fieldOf(body, 'password'), address: ip }))
      return true
    } catch (error) {
      if (error instanceof AppError) return false
      throw error
    }
  }

  /** `refusal`: why the last password was not taken. */
  async function showForm(request: FastifyRequest, reply: FastifyReply, token: string, refusal?: AppError): Promise<FastifyReply> {
    try {
      const link = await readLink(context, token)
      if (refusal === undefined) return sendPage(reply, 200, welcomePage(site, link, token), WITHOUT_ADDRESS)
      return sendRefusal(reply, refusal, welcomePage(site, link, token, wordsOf(refusal)), WITHOUT_ADDRESS)
    } catch (error) {
      if (error instanceof AppError && error.code === 'sign_in_link_invalid') return sendRefusal(reply, error, deadLinkPage(site, wordsOf(error), ways, (await holderOf(parts, request))?.email ?? null), WITHOUT_ADDRESS)
      throw error
    }
  }
}
