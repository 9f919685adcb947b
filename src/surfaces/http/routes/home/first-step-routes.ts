import type { FastifyInstance } from 'fastify'
import { markFirstSteps, readFirstSteps } from '../../../../accounts/first-steps.ts'
import { requires } from '../../guards/requires.ts'
import { fieldOf, FORM_LIMIT_BYTES } from '../visitor/forms.ts'
import { requireOwnForm } from '../visitor/own-form.ts'
import type { PageDeps } from '../visitor/page-deps.ts'
import { sendPage } from '../visitor/send-page.ts'
import { accountUrl } from '../account/account-url.ts'
import { firstCall, FIRST_STEPS_PATH } from './first-steps-section.ts'

/** The state of the first call, which the home page reads every few seconds, and the form of the steps. */
export function firstStepRoutes(
  app: FastifyInstance,
  { pages: { database, site, findVisitor } }: { readonly pages: PageDeps },
): void {
  app.get(FIRST_STEPS_PATH, requires('calls.view'), async (request, reply) => {
    const visitor = await findVisitor(request)
    if (visitor === null || visitor.caller.scope === 'own') return reply.redirect('/balance', 303)
    const steps = await readFirstSteps(database, visitor.caller.accountId)
    return sendPage(reply, 200, firstCall(steps ?? { hasCalled: true }).markup)
  })

  app.post(
    FIRST_STEPS_PATH,
    { bodyLimit: FORM_LIMIT_BYTES, ...requires('keys.own') },
    async (request, reply) => {
      requireOwnForm(request, site.publicUrl)
      const visitor = await findVisitor(request)
      if (visitor === null || !visitor.caller.primary) return reply.redirect('/balance', 303)
      const mark = fieldOf(request.body, 'mark')
      if (mark === 'copied' || mark === 'dismissed')
        await markFirstSteps(database, visitor.caller, mark)
      return reply.redirect(accountUrl('/balance', visitor), 303)
    },
  )
}
