import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { changeRole } from '../../../../auth/members/change-role.ts'
import type { InviteDeps } from '../../../../auth/members/invite-deps.ts'
import { inviteMember, type Invited } from '../../../../auth/members/invite-member.ts'
import { listInvitations } from '../../../../auth/members/list-invitations.ts'
import { listMembers } from '../../../../auth/members/list-members.ts'
import { leaveAccount } from '../../../../auth/members/leave-account.ts'
import { seesPeople } from '../../../../keys/change-key.ts'
import { removeMember } from '../../../../auth/members/remove-member.ts'
import { revokeInvitation } from '../../../../auth/members/revoke-invitation.ts'
import { switchAccount, type Visitor } from '../../../../auth/records/browser-session.ts'
import { requireRecentSignIn } from '../../../../auth/records/recent-sign-in.ts'
import type { Validator } from '../../../../catalog/validate/validate.ts'
import { AppError } from '../../../../errors/app-error.ts'
import type { KeyDeps } from '../../../../keys/key-deps.ts'
import { parsePublicId } from '../../../../lib/ids.ts'
import type { Role } from '../../../../lib/permissions.ts'
import { may, requires, type RoutePermission } from '../../guards/requires.ts'
import { readBody, readQuery } from '../../read-input.ts'
import { SWITCH_PATH } from '../../html/layout/account-switch.ts'
import { accountUrl, HOME_PATH } from '../account/account-url.ts'
import { findSignedIn } from '../sign-in/find-signed-in.ts'
import { signInPage, type SignInMethods } from '../sign-in/sign-in-page.ts'
import { answerFormOnce, onceTokenOf } from '../visitor/answer-form-once.ts'
import { fieldErrors } from '../visitor/field-errors.ts'
import { fieldOf, FORM_LIMIT_BYTES, redirectFormGet } from '../visitor/forms.ts'
import { requireOwnForm } from '../visitor/own-form.ts'
import type { PageDeps } from '../visitor/page-deps.ts'
import { describeError, sendErrorPage, sendPage } from '../visitor/send-page.ts'
import { invitedPage } from './invited-page.ts'
import { MemberPatchBody, NewInvitationBody, RemovalQuery } from './member-input.ts'
import { teamPage } from './team-page.ts'
import { TEAM_PATH } from './team-view.ts'

const DONE: Readonly<Record<string, string>> = {
  invited: 'Invitation emailed.',
  revoked: 'Invitation revoked. Its link no longer works.',
  role: 'Role saved.',
  removed: 'Member removed. Their sessions of this account have ended.',
  joined: 'You are a member of this account now.',
  left: 'You left the other account. This browser shows this one now.',
}

const INVITE = `${TEAM_PATH}/invitations`
const FIELDS = { email: 'email', role: 'role' } as const

type TeamDeps = {
  readonly pages: PageDeps
  readonly methods: SignInMethods
  readonly invites: InviteDeps
  readonly keys: KeyDeps
  readonly validator: Validator
}

type Sent = {
  readonly request: FastifyRequest<{ Params: { id?: string } }>
  readonly reply: FastifyReply
  readonly visitor: Visitor
  readonly id: string
}

/** /team: members, invitations and the switch between accounts. Requires `acceptForms`. */
export function teamPageRoutes(app: FastifyInstance, deps: TeamDeps): void {
  const { pages, methods, invites, keys, validator } = deps
  const { database, site, findVisitor } = pages

  app.get(TEAM_PATH, requires('team.view'), async (request, reply) => {
    const visitor = await findVisitor(request)
    return visitor === null
      ? sendPage(reply, 200, signInPage(site, methods, { next: request.url }))
      : show(deps, request, reply, visitor)
  })

  form(INVITE, 'members.change', async ({ request, reply, visitor }) => {
    const email = fieldOf(request.body, 'email').trim()
    const input = readBody(validator, NewInvitationBody, {
      role: fieldOf(request.body, 'role'),
      ...(email === '' ? {} : { email }),
    })
    await requireRecentForOwner(pages, request, visitor, input.role)
    const invited = await answerFormOnce<Invited>(pages, request, visitor.caller, (keep) =>
      inviteMember(invites, visitor.caller, { email: null, ...input, address: request.ip }, keep),
    )
    return invited.url === null
      ? back(reply, visitor, 'invited')
      : sendPage(reply, 201, invitedPage(site, visitor, invited))
  })

  form(`${INVITE}/:id/revoke`, 'members.change', async ({ reply, visitor, id }) => {
    await revokeInvitation(database, visitor.caller, id)
    return back(reply, visitor, 'revoked')
  })

  form(`${TEAM_PATH}/members/:id/role`, 'members.change', async (sent) => {
    const { role } = readBody(validator, MemberPatchBody, {
      role: fieldOf(sent.request.body, 'role'),
    })
    await requireRecentForOwner(pages, sent.request, sent.visitor, role)
    await changeRole(database, sent.visitor.caller, sent.id, role)
    return back(sent.reply, sent.visitor, 'role')
  })

  form(`${TEAM_PATH}/members/:id/remove`, 'members.change', async (sent) => {
    requireTick(sent.request.body, 'The member was not removed.')
    const chosen = fieldOf(sent.request.body, 'keys') || 'pause'
    const { keys: choice = 'pause', to } = readQuery(
      validator,
      RemovalQuery,
      chosen === 'pause' ? { keys: chosen } : { keys: 'hand_over', to: chosen },
    )
    await removeMember(keys, sent.visitor.caller, sent.id, { choice, to })
    return back(sent.reply, sent.visitor, 'removed')
  })

  form(SWITCH_PATH, 'member', async ({ request, reply, visitor }) => {
    const person = await findSignedIn(pages, request)
    if (person === null) return back(reply, visitor, '')
    const accountId = parsePublicId('account', fieldOf(request.body, 'account'))
    if (accountId === null) throw new AppError('not_found', 'You are not a member of this account.')
    await switchAccount(pages, { ...person, accountId })
    return reply.redirect(`${HOME_PATH}?done=switched`, 303)
  })

  form(`${TEAM_PATH}/leave`, 'member', async ({ request, reply, visitor }) => {
    const person = await findSignedIn(pages, request)
    if (person === null) return back(reply, visitor, '')
    requireTick(request.body, 'You did not leave the account.')
    const next = await leaveAccount(keys, visitor.caller, person)
    return reply.redirect(next === null ? '/sign-in?done=left' : `${TEAM_PATH}?done=left`, 303)
  })

  /** Registers a form. A rejected form shows the page with the error. */
  function form(
    path: string,
    permission: RoutePermission,
    work: (sent: Sent) => Promise<FastifyReply>,
  ): void {
    redirectFormGet(app, path, TEAM_PATH)
    app.post<{ Params: { id?: string } }>(
      path,
      { bodyLimit: FORM_LIMIT_BYTES, ...requires(permission) },
      async (request, reply) => {
        requireOwnForm(request, site.publicUrl)
        const visitor = await findVisitor(request)
        if (visitor === null) return reply.redirect(TEAM_PATH, 303)
        try {
          return await work({ request, reply, visitor, id: request.params.id ?? '' })
        } catch (error) {
          if (error instanceof AppError) return show(deps, request, reply, visitor, error)
          throw error
        }
      },
    )
  }
}

/** Throws AppError invalid_params for a form whose box is not ticked. */
function requireTick(body: unknown, message: string): void {
  if (fieldOf(body, 'sure') !== 'yes')
    throw new AppError('invalid_params', message, {
      param: 'sure',
      fix: 'Tick the box to confirm.',
    })
}

/** Owners of an operator's account use the operator console. Throws AppError sign_in_refused. */
async function requireRecentForOwner(
  { database, now, cookie }: PageDeps,
  request: FastifyRequest,
  { isOperator }: Visitor,
  role: Role,
): Promise<void> {
  if (isOperator === true && role === 'owner')
    await requireRecentSignIn({ database, now }, cookie.read(request) ?? '')
}

function back(reply: FastifyReply, visitor: Visitor, done: string): FastifyReply {
  return reply.redirect(accountUrl(TEAM_PATH, visitor, { done }), 303)
}

async function show(
  { pages: { database, now, site }, invites }: TeamDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  visitor: Visitor,
  error?: AppError,
): Promise<FastifyReply> {
  const { accountId, mode, member } = visitor.caller
  const isShown = seesPeople(visitor.caller)
  const isOfInvite = error !== undefined && request.routeOptions.url === INVITE
  const errors = isOfInvite ? fieldErrors(error, FIELDS) : {}
  const done = error === undefined ? DONE[fieldOf(request.query, 'done')] : undefined
  const markup = teamPage(site, {
    visitor,
    members: isShown ? await listMembers(database, accountId) : null,
    invitations: isShown ? await listInvitations(database, accountId, now()) : [],
    canManage: may(visitor, 'members.change') && (member !== undefined || mode === 'live'),
    sendsEmail: invites.mailer !== null,
    typed: isOfInvite
      ? { email: fieldOf(request.body, 'email'), role: fieldOf(request.body, 'role') }
      : { email: '', role: 'developer' },
    errors,
    ...(error !== undefined && Object.keys(errors).length === 0
      ? { problem: describeError(error) }
      : {}),
    ...(done === undefined ? {} : { done }),
    ...(isOfInvite && error.isRetryable ? { onceToken: onceTokenOf(request.body) } : {}),
  })
  return error === undefined ? sendPage(reply, 200, markup) : sendErrorPage(reply, error, markup)
}
