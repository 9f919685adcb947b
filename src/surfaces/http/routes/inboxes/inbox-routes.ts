import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { Validator } from '../../../../catalog/validate/validate.ts'
import { AppError } from '../../../../errors/app-error.ts'
import { ownerOf } from '../../../../keys/caller.ts'
import { deleteInbox, deleteMessage } from '../../../../resources/inboxes/delete-messages.ts'
import type { InboxDeps } from '../../../../resources/inboxes/inbox-deps.ts'
import { listInboxes } from '../../../../resources/inboxes/list-inboxes.ts'
import { requires } from '../../guards/requires.ts'
import { readQuery } from '../../read-input.ts'
import { dataBody, sendBody } from '../../send-data.ts'

export const MessageQuery = Type.Object(
  {
    message_id: Type.String({
      minLength: 1,
      maxLength: 998,
      pattern: String.raw`^\P{Cc}+$`,
      description: 'The message_id from a row of inbox/list-messages, URL-encoded.',
    }),
  },
  { additionalProperties: false },
)

export type InboxRouteDeps = Pick<InboxDeps, 'database' | 'now'> & {
  readonly validator: Validator
}

type One = { Params: { inbox: string } }

/** The inboxes of this gateway. All free. Requires `requireKeyOrSession`. */
export function inboxRoutes(app: FastifyInstance, deps: InboxRouteDeps): void {
  app.get('/api/v1/inboxes', requires('calls.view'), async (request, reply) =>
    sendBody(request, reply, dataBody(await listInboxes(deps.database, ownerOf(request.caller)))),
  )

  app.delete<One>('/api/v1/inboxes/:inbox', requires('inboxes.change'), async (request, reply) => {
    const inbox = readAddress(request.params.inbox)
    const deleted = await deleteInbox(deps, ownerOf(request.caller), inbox)
    return sendBody(request, reply, dataBody(deleted))
  })

  app.delete<One>(
    '/api/v1/inboxes/:inbox/messages',
    requires('inboxes.change'),
    async (request, reply) => {
      const { message_id: messageId } = readQuery(deps.validator, MessageQuery, request.query)
      const inbox = readAddress(request.params.inbox)
      const deleted = await deleteMessage(deps, ownerOf(request.caller), { inbox, messageId })
      return sendBody(request, reply, dataBody(deleted))
    },
  )
}

/** Throws AppError unknown_inbox for a text that PostgreSQL would reject. */
function readAddress(text: string): string {
  if (!/^[^\s\p{Cc}]{3,320}$/u.test(text)) throw new AppError('unknown_inbox')
  return text.toLowerCase()
}
