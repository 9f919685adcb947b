import type { FastifyInstance, FastifyReply } from 'fastify'
import { AppError } from '../../../../errors/app-error.ts'
import { enterByLink, readLink } from '../../../../people/entry-link.ts'
import { requireOwnForm } from '../account/own-form.ts'
import { fieldOf } from '../account/page-parts.ts'
import { sendPage, sendRefusal, wordsOf } from '../account/send-page.ts'
import { FORM_LIMIT_BYTES } from '../account/sign-in-routes.ts'
import { enter } from './enter.ts'
import { deadLinkPage } from './link-pages.ts'
import type { PeopleOptions } from './people-routes.ts'
import { newAccountPage, welcomePage } from './welcome-pages.ts'

// The address of this page holds the token. No request that the page makes repeats it; forms keep their Origin, which
// browsers leave out of pages without any referrer.
const WITHOUT_ADDRESS = 'strict-origin'

/** Where a link leads that was mailed or handed out: whoever opens it chooses a password, and is in. */
export function welcomeRoutes(app: FastifyInstance, { parts, ways }: PeopleOptions): void {
  const { database, now, site } = parts
  const context = { database, now }

  app.get('/welcome', async (request, reply) => showForm(reply, fieldOf(request.query, 'token')))

  app.post('/welcome', { bodyLimit: FORM_LIMIT_BYTES }, async (request, reply) => {
    requireOwnForm(request, site.publicUrl)
    const token = fieldOf(request.body, 'token')
    try {
      const entered = await enterByLink(context, token, fieldOf(request.body, 'password'))
      enter(reply, parts, entered)
      return entered.created === null ? reply.redirect('/balance', 303) : sendPage(reply, 200, newAccountPage(site, entered.created))
    } catch (error) {
      if (error instanceof AppError) return showForm(reply, token, error)
      throw error
    }
  })

  /** `refusal`: why the last password was not taken. */
  async function showForm(reply: FastifyReply, token: string, refusal?: AppError): Promise<FastifyReply> {
    try {
      const link = await readLink(context, token)
      if (refusal === undefined) return sendPage(reply, 200, welcomePage(site, link, token), WITHOUT_ADDRESS)
      return sendRefusal(reply, refusal, welcomePage(site, link, token, wordsOf(refusal)), WITHOUT_ADDRESS)
    } catch (error) {
      if (error instanceof AppError && error.code === 'sign_in_link_invalid') return sendRefusal(reply, error, deadLinkPage(site, wordsOf(error), ways), WITHOUT_ADDRESS)
      throw error
    }
  }
}
