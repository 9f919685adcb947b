import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Attempts, SIGN_IN_LIMITS } from '../../../../auth/attempts.ts'
import type { AuthServices } from '../../../../auth/auth-services.ts'
import { acceptAsNewPerson, acceptInvitation } from '../../../../auth/members/accept-invitation.ts'
import { readInvitation } from '../../../../auth/members/read-invitation.ts'
import { isSameMailbox } from '../../../../auth/records/email.ts'
import { AppError } from '../../../../errors/app-error.ts'
import { requires } from '../../guards/requires.ts'
import { findSignedIn } from '../sign-in/find-signed-in.ts'
import { startSession } from '../sign-in/start-session.ts'
import { fieldOf, FORM_LIMIT_BYTES } from '../visitor/forms.ts'
import { requireOwnForm } from '../visitor/own-form.ts'
import type { PageDeps } from '../visitor/page-deps.ts'
import { describeError, sendErrorPage, sendPage } from '../visitor/send-page.ts'
import { endedInvitationPage, invitationPage } from './invitation-page.ts'
import { TEAM_PATH } from './team-view.ts'

export const INVITATIONS_PATH = '/invitations'

// The URL contains the token, which no Referer may reveal.
const WITHOUT_ADDRESS = 'strict-origin'
const JOINED = `${TEAM_PATH}?done=joined`

type One = { Params: { token: string } }

type Deps = {
  readonly pages: PageDeps
  readonly people: Pick<AuthServices, 'passwordCost'>
  readonly methods: { readonly signUp: boolean }
}

/** The page of an invitation's link, which adds the person to the account. Requires `acceptForms`. */
export function invitationRoutes(app: FastifyInstance, { pages, people, methods }: Deps): void {
  const { database, now, site } = pages
  const auth = { database, now, passwordCost: people.passwordCost }
  const attempts = new Attempts(SIGN_IN_LIMITS, now)
  const page = `${INVITATIONS_PATH}/:token`

  app.get<One>(page, requires('public'), async (request, reply) => show(request, reply))
  app.get<One>(`${page}/new`, requires('public'), async ({ params }, reply) =>
    reply.redirect(`${INVITATIONS_PATH}/${encodeURIComponent(params.token)}`, 303),
  )

  app.post<One>(
    page,
    { bodyLimit: FORM_LIMIT_BYTES, ...requires('public') },
    async (request, reply) => {
      requireOwnForm(request, site.publicUrl)
      const person = await findSignedIn(pages, request)
      if (person === null) return show(request, reply)
      return joinWith(request, reply, () => acceptInvitation(auth, request.params.token, person))
    },
  )

  app.post<One>(
    `${page}/new`,
    { bodyLimit: FORM_LIMIT_BYTES, ...requires('public') },
    async (request, reply) => {
      requireOwnForm(request, site.publicUrl)
      return joinWith(request, reply, async () => {
        attempts.count({ address: request.ip })
        const password = fieldOf(request.body, 'password')
        startSession(reply, pages, await acceptAsNewPerson(auth, request.params.token, password))
      })
    },
  )

  async function joinWith(
    request: FastifyRequest<One>,
    reply: FastifyReply,
    work: () => Promise<unknown>,
  ): Promise<FastifyReply> {
    try {
      await work()
      return await reply.redirect(JOINED, 303)
    } catch (error) {
      if (error instanceof AppError) return show(request, reply, error)
      throw error
    }
  }

  async function show(
    request: FastifyRequest<One>,
    reply: FastifyReply,
    error?: AppError,
  ): Promise<FastifyReply> {
    const { token } = request.params
    try {
      const invitation = await readInvitation(auth, token)
      const email = (await findSignedIn(pages, request))?.email ?? null
      const isOfPassword = error?.param === 'password'
      const text = error === undefined ? undefined : describeError(error)
      const markup = invitationPage(site, {
        invitation,
        path: `${INVITATIONS_PATH}/${token}`,
        email,
        isFor:
          invitation.email === null || (email !== null && isSameMailbox(invitation.email, email)),
        signUp: methods.signUp,
        ...(isOfPassword ? { passwordError: text } : { refusal: text }),
      })
      return error === undefined
        ? sendPage(reply, 200, markup, WITHOUT_ADDRESS)
        : sendErrorPage(reply, error, markup, WITHOUT_ADDRESS)
    } catch (ended) {
      if (ended instanceof AppError && ended.code === 'invitation_invalid')
        return sendErrorPage(
          reply,
          ended,
          endedInvitationPage(site, describeError(ended)),
          WITHOUT_ADDRESS,
        )
      throw ended
    }
  }
}
