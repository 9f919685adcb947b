import type { FastifyInstance } from 'fastify'
import { readMailbox } from '../../../../auth/records/email.ts'
import { isWelcomeCreditLeft } from '../../../../accounts/welcome-credit.ts'
import { AppError } from '../../../../errors/app-error.ts'
import { Attempts } from '../../../../auth/attempts.ts'
import { REQUEST_LIMITS, LinkSender } from '../../../../auth/link-sender.ts'
import type { Mailer, AuthServices } from '../../../../auth/auth-services.ts'
import { fieldOf, FORM_LIMIT_BYTES } from '../visitor/forms.ts'
import { nextOf, withNext } from '../visitor/next-page.ts'
import { requireOwnForm } from '../visitor/own-form.ts'
import type { PageDeps } from '../visitor/page-deps.ts'
import { sendPage, sendErrorPage, describeError } from '../visitor/send-page.ts'
import { linkSentPage, linkPage, type LinkForm } from './link-pages.ts'
import type { SignInDeps } from './sign-in-deps.ts'
import { requires } from '../../guards/requires.ts'

/** Email links: to set a first or forgotten password, and to sign up where that is open. */
export function linkRoutes(app: FastifyInstance, { pages, people, methods }: SignInDeps): void {
  if (people.mailer === null || !methods.signUp) redirectToSignIn(app, '/sign-up')
  if (people.mailer === null) redirectToSignIn(app, '/sign-in/link')
  else
    linkForms(app, methods.signUp ? ['/sign-in/link', '/sign-up'] : ['/sign-in/link'], {
      pages,
      people,
      mailer: people.mailer,
    })
}

// The sign-in page shows the available methods.
function redirectToSignIn(app: FastifyInstance, form: LinkForm): void {
  app.get(form, requires('public'), async (request, reply) =>
    reply.redirect(withNext(nextOf(request.query), '/sign-in'), 303),
  )
}

type LinkFormDeps = {
  readonly pages: PageDeps
  readonly people: Pick<AuthServices, 'signUp' | 'welcomeCreditsPerDay'>
  readonly mailer: Mailer
}

function linkForms(
  app: FastifyInstance,
  forms: readonly LinkForm[],
  { pages, people: { signUp, welcomeCreditsPerDay: mostPerDay }, mailer }: LinkFormDeps,
): void {
  const { database, now, site } = pages
  const attempts = new Attempts(REQUEST_LIMITS, now)
  const sender = new LinkSender({
    database,
    now,
    mailer,
    signUp,
    publicUrl: site.publicUrl,
    report: (error) =>
      app.log.error(
        error instanceof AppError ? { code: error.code } : { err: error },
        `email link not sent: ${error instanceof Error ? error.message : String(error)}`,
      ),
  })
  app.addHook('onClose', () => sender.drain())

  async function hasCredit(form: LinkForm): Promise<boolean | null> {
    return form === '/sign-up' ? isWelcomeCreditLeft(database, { mostPerDay, nowMs: now() }) : null
  }

  for (const form of forms) {
    app.get(form, requires('public'), async (request, reply) =>
      sendPage(
        reply,
        200,
        linkPage(site, form, { next: nextOf(request.query), hasCredit: await hasCredit(form) }),
      ),
    )

    app.post(
      form,
      { bodyLimit: FORM_LIMIT_BYTES, ...requires('public') },
      async (request, reply) => {
        requireOwnForm(request, site.publicUrl)
        const [typed, next] = [fieldOf(request.body, 'email'), nextOf(request.body)]
        try {
          const email = readMailbox(typed)
          attempts.count({ address: request.ip, email })
          sender.request({ email, next, address: request.ip })
          return sendPage(reply, 200, linkSentPage(site, form, { email, next }))
        } catch (error) {
          if (error instanceof AppError)
            return sendErrorPage(
              reply,
              error,
              linkPage(site, form, {
                next,
                hasCredit: await hasCredit(form),
                refusal: describeError(error),
                email: typed,
              }),
            )
          throw error
        }
      },
    )
  }
}
