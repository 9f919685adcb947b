import type { InHouseHandler } from '../../catalog/vocabulary/handlers.ts'
import { createInbox } from './create-inbox.ts'
import type { InboxDeps } from './inbox-deps.ts'
import { replyToMessage, type ReplyInput } from './sending/reply-to-message.ts'
import { sendMessage } from './sending/send-message.ts'
import { describeWhole, findMessage, listMessages } from './list-messages.ts'

/** Names of handlers that exist only on a gateway with inboxes of its own. */
export const INBOX_HANDLERS = ['inbox.create', 'inbox.list', 'inbox.send', 'inbox.reply'] as const

type ListInput = {
  readonly inbox_id: string
  readonly message_id?: string
  readonly limit: number
  readonly page_token?: string
}

type SendInput = {
  readonly inbox_id: string
  readonly to: string | readonly string[]
  readonly subject: string
  readonly text?: string
  readonly html?: string
}

/** The in-house lane of inbox. It answers like AgentMail. Without a relay, inboxes reach only each other. */
export function inboxHandlers(deps: InboxDeps): ReadonlyMap<string, InHouseHandler> {
  return new Map<string, InHouseHandler>([
    [
      'inbox.create',
      async (input, tools) => {
        const made = await createInbox(deps, input, tools)
        const at = made.created_at.toISOString()
        return {
          inbox_id: made.address,
          email: made.address,
          display_name: made.display_name,
          created_at: at,
          updated_at: at,
        }
      },
    ],
    [
      'inbox.list',
      async (input) => {
        const { inbox_id: inbox, message_id: messageId, ...page } = input as ListInput
        return messageId === undefined
          ? listMessages(deps, inbox, page)
          : describeWhole(await findMessage(deps, inbox, messageId))
      },
    ],
    [
      'inbox.send',
      async (input, tools) => {
        const { inbox_id: inbox, to, subject, text, html } = input as SendInput
        const addresses = (typeof to === 'string' ? [to] : to).map((one) => one.toLowerCase())
        return sendMessage(
          deps,
          {
            inbox,
            to: [...new Set(addresses)],
            subject,
            text,
            html,
            inReplyTo: null,
            references: [],
            threadId: null,
            recipientsParam: 'to',
          },
          tools,
        )
      },
    ],
    ['inbox.reply', async (input, tools) => replyToMessage(deps, input as ReplyInput, tools)],
  ])
}
