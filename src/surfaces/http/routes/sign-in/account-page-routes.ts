import type { FastifyInstance, FastifyRequest } from 'fastify'
import { endSessionsOfPerson } from '../../../../auth/records/browser-session.ts'
import { endBrowser, listBrowsers } from '../../../../auth/records/signed-in-browsers.ts'
import { AppError } from '../../../../errors/app-error.ts'
import type { Attempts } from '../../../../auth/attempts.ts'
import { changePassword } from '../../../../auth/change-password.ts'
import type { AuthServices } from '../../../../auth/auth-services.ts'
import {
  readSignInMethods,
  removeIdentity,
  removePasskey,
} from '../../../../auth/sign-in-methods.ts'
import { fieldErrors } from '../visitor/field-errors.ts'
import { fieldOf, FORM_LIMIT_BYTES, redirectFormGet } from '../visitor/forms.ts'
import { requireOwnForm } from '../visitor/own-form.ts'
import type { PageDeps } from '../visitor/page-deps.ts'
import { sendPage, sendErrorPage, describeError } from '../visitor/send-page.ts'
import { accountPage, noHolderPage, type AccountView, type Done } from './account-page.ts'
import { findSignedIn, type SignedInPerson } from './find-signed-in.ts'
import { signInPage, type SignInMethods } from './sign-in-page.ts'
import { requires } from '../../guards/requires.ts'

type Deps = {
  readonly pages: PageDeps
  readonly people: Pick<AuthServices, 'passwordCost'>
  readonly methods: SignInMethods
  /** Shared with the sign-in form. */
  readonly attempts: Attempts
}

/** /account: the sign-in methods of the person and their forms. Requires `acceptForms`. */
export function accountPageRoutes(
  app: FastifyInstance,
  { pages, people: { passwordCost }, methods, attempts }: Deps,
): void {
  const { database, now, site, findVisitor } = pages

  app.get('/account', requires('member'), async (request, reply) => {
    const person = await findSignedIn(pages, request)
    if (person !== null)
      return sendPage(reply, 200, await pageOf(person, { done: fieldOf(request.query, 'done') }))
    const visitor = await findVisitor(request)
    return sendPage(
      reply,
      200,
      visitor === null
        ? signInPage(site, methods, { next: request.url })
        : noHolderPage(site, visitor),
    )
  })

  form('/account/password', 'password', ({ personId, email, session }, { body, ip }) =>
    changePassword({ database, now, passwordCost }, attempts, {
      personId,
      email,
      session,
      present: fieldOf(body, 'present'),
      next: fieldOf(body, 'password'),
      address: ip,
    }),
  )
  form('/account/passkeys/remove', 'passkey-removed', ({ personId }, { body }) =>
    removePasskey(database, personId, fieldOf(body, 'id')),
  )
  form('/account/identities/remove', 'identity-removed', ({ personId }, { body }) =>
    removeIdentity(database, personId, fieldOf(body, 'issuer')),
  )
  form('/account/sign-out-others', 'signed-out', ({ personId, session }) =>
    endSessionsOfPerson(database, personId, session),
  )

  form('/account/browsers/sign-out', 'browser-signed-out', ({ personId }, { body }) =>
    endBrowser(database, personId, fieldOf(body, 'id')),
  )

  /** Registers a form. A rejected form shows the page with the error. */
  function form(
    path: string,
    done: Done,
    work: (person: SignedInPerson, request: FastifyRequest) => Promise<void>,
  ): void {
    redirectFormGet(app, path, '/account')
    app.post(
      path,
      { bodyLimit: FORM_LIMIT_BYTES, ...requires('member') },
      async (request, reply) => {
        requireOwnForm(request, site.publicUrl)
        const person = await findSignedIn(pages, request)
        if (person === null) return reply.redirect('/account', 303)
        try {
          await work(person, request)
        } catch (error) {
          if (error instanceof AppError)
            return sendErrorPage(reply, error, await pageOf(person, messagesOf(error)))
          throw error
        }
        return reply.redirect(`/account?done=${done}`, 303)
      },
    )
  }

  async function pageOf(
    { personId, email, visitor, session }: SignedInPerson,
    result: Pick<AccountView, 'done' | 'errors' | 'problem'>,
  ): Promise<string> {
    return accountPage(site, {
      visitor,
      email,
      waysIn: await readSignInMethods(database, personId),
      browsers: await listBrowsers({ database, now }, personId, session),
      mail: methods.mail,
      provider: providerOf(methods),
      ...result,
    })
  }
}

/** The fields of the password form by the parameters of errors. */
const FIELD_NAMES = { password: 'password', present: 'present' }

function messagesOf(error: AppError): Pick<AccountView, 'errors' | 'problem'> {
  const errors = fieldErrors(error, FIELD_NAMES)
  return Object.keys(errors).length > 0 ? { errors } : { problem: describeError(error) }
}

function providerOf({
  provider,
  issuer = null,
}: SignInMethods): NonNullable<AccountView['provider']> | null {
  return provider === null || issuer === null ? null : { name: provider, issuer }
}
