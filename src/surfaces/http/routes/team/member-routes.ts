import type { FastifyInstance, FastifyRequest } from 'fastify'
import { changeRole } from '../../../../auth/members/change-role.ts'
import type { InviteDeps } from '../../../../auth/members/invite-deps.ts'
import { inviteMember, type Invited } from '../../../../auth/members/invite-member.ts'
import { listInvitations } from '../../../../auth/members/list-invitations.ts'
import { listMembers } from '../../../../auth/members/list-members.ts'
import { removeMember } from '../../../../auth/members/remove-member.ts'
import { requireManager, requireMemberView } from '../../../../auth/members/require-manager.ts'
import { revokeInvitation } from '../../../../auth/members/revoke-invitation.ts'
import { requireRecentOperator } from '../../../../auth/records/recent-sign-in.ts'
import type { Validator } from '../../../../catalog/validate/validate.ts'
import type { KeyDeps } from '../../../../keys/key-deps.ts'
import type { Role } from '../../../../lib/permissions.ts'
import { requires } from '../../guards/requires.ts'
import { readBody, readQuery } from '../../read-input.ts'
import { dataBody, sendBody } from '../../send-data.ts'
import { sendOnce } from '../../send-once.ts'
import { MemberPatchBody, NewInvitationBody, RemovalQuery } from './member-input.ts'

export type MemberRouteDeps = {
  readonly invites: InviteDeps
  readonly keys: KeyDeps
  readonly validator: Validator
}

type One = { Params: { id: string } }

const MEMBERS = '/api/v1/members'
const INVITATIONS = `${MEMBERS}/invitations`

/** The members of the account, for its people and its primary key. Requires `requireKeyOrSession`. */
export function memberRoutes(
  app: FastifyInstance,
  { invites, keys, validator }: MemberRouteDeps,
): void {
  const { database, now } = invites

  /** Owners of an operator's account use the operator console. Throws AppError sign_in_refused. */
  async function requireRecentForOwner(request: FastifyRequest, role: Role): Promise<void> {
    const { caller, sessionToken: session } = request
    if (role === 'owner' && caller.member !== undefined && session !== undefined)
      await requireRecentOperator({ database, now }, { ...caller.member, session })
  }

  app.get(MEMBERS, requires('team.view'), async (request, reply) => {
    requireMemberView(request.caller)
    const members = await listMembers(database, request.caller.accountId)
    return sendBody(request, reply, dataBody(members, null))
  })

  app.patch<One>(`${MEMBERS}/:id`, requires('members.change'), async (request, reply) => {
    requireManager(request.caller)
    const { role } = readBody(validator, MemberPatchBody, request.body)
    await requireRecentForOwner(request, role)
    const member = await changeRole(database, request.caller, request.params.id, role)
    return sendBody(request, reply, dataBody(member))
  })

  app.delete<One>(`${MEMBERS}/:id`, requires('members.change'), async (request, reply) => {
    requireManager(request.caller)
    const { keys: choice = 'pause', to } = readQuery(validator, RemovalQuery, request.query)
    const member = await removeMember(keys, request.caller, request.params.id, { choice, to })
    return sendBody(request, reply, dataBody(member))
  })

  app.get(INVITATIONS, requires('team.view'), async (request, reply) => {
    requireMemberView(request.caller)
    const open = await listInvitations(database, request.caller.accountId, now())
    return sendBody(request, reply, dataBody(open, null))
  })

  app.post(INVITATIONS, requires('members.change'), async (request, reply) => {
    requireManager(request.caller)
    const { role, email = null } = readBody(validator, NewInvitationBody, request.body)
    await requireRecentForOwner(request, role)
    return sendOnce<Invited>(invites, request, reply, 201, (keep) =>
      inviteMember(invites, request.caller, { role, email, address: request.ip }, keep),
    )
  })

  app.delete<One>(`${INVITATIONS}/:id`, requires('members.change'), async (request, reply) =>
    sendBody(
      request,
      reply,
      dataBody(await revokeInvitation(database, request.caller, request.params.id)),
    ),
  )
}
