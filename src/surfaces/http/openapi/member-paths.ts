/** The routes of members and invitations in the OpenAPI document. */
import { answers } from '../../../catalog/published/openapi-parts.ts'
import { MemberPatchBody, NewInvitationBody, RemovalQuery } from '../routes/team/member-input.ts'
import { jsonBody, queryParameters } from './from-schema.ts'
import {
  idempotencyKey,
  keyId,
  KEYED,
  one,
  page,
  READ,
  replayed,
  requestId,
  security,
  WRITE,
} from './path-parts.ts'

const memberId = { ...keyId, description: 'Member id (mem_…).' }
const invitationId = { ...keyId, description: 'Invitation id (inv_…).' }

export const memberPaths = {
  '/api/v1/members': {
    get: {
      operationId: 'list_members',
      tags: ['members'],
      security,
      summary: 'List the members of the account, all on one page. Requires a primary key.',
      responses: answers(
        { description: 'The members.', schema: page('Member'), headers: requestId },
        KEYED,
      ),
    },
  },
  '/api/v1/members/{id}': {
    parameters: [memberId],
    patch: {
      operationId: 'change_member_role',
      tags: ['members'],
      security,
      summary:
        'Change the role of a member. An account has at least one owner. Requires the live primary key.',
      requestBody: jsonBody(MemberPatchBody, { role: 'developer' }),
      responses: answers(
        { description: 'The member.', schema: one('Member'), headers: requestId },
        [...WRITE, 404, 409],
      ),
    },
    delete: {
      operationId: 'remove_member',
      tags: ['members'],
      security,
      summary:
        'Remove a member, end their sessions of the account, and pause or hand over their keys. Requires the live primary key.',
      parameters: queryParameters(RemovalQuery),
      responses: answers(
        { description: 'The removed member.', schema: one('Member'), headers: requestId },
        [...READ, 404, 409],
      ),
    },
  },
  '/api/v1/members/invitations': {
    get: {
      operationId: 'list_invitations',
      tags: ['members'],
      security,
      summary: 'List open invitations, newest first, all on one page. Requires a primary key.',
      responses: answers(
        { description: 'The invitations.', schema: page('Invitation'), headers: requestId },
        KEYED,
      ),
    },
    post: {
      operationId: 'invite_member',
      tags: ['members'],
      security,
      summary:
        'Create an invitation: a link that one person can use within seven days. Requires the live primary key.',
      parameters: [idempotencyKey],
      requestBody: jsonBody(NewInvitationBody, { role: 'developer', email: 'lea@example.com' }),
      responses: answers(
        {
          status: 201,
          description: 'The invitation.',
          schema: one('InvitationWithLink'),
          headers: replayed,
        },
        [...WRITE, 409, 422, 502],
      ),
    },
  },
  '/api/v1/members/invitations/{id}': {
    parameters: [invitationId],
    delete: {
      operationId: 'revoke_invitation',
      tags: ['members'],
      security,
      summary: 'End an open invitation. Requires the live primary key.',
      responses: answers(
        { description: 'The revoked invitation.', schema: one('Invitation'), headers: requestId },
        [...WRITE, 404],
      ),
    },
  },
}
