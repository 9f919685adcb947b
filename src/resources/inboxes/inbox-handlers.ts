import type { InHouseHandler } from '../../catalog/vocabulary/handlers.ts'
import { AppError } from '../../errors/app-error.ts'
import { createInbox, type NewInbox } from './create-inbox.ts'
import type { InboxDeps } from './inbox-deps.ts'
import { describeWhole, findMessage, listMessages } from './list-messages.ts'

/** Names of handlers that exist only on a gateway with inboxes of its own. */
export const INBOX_HANDLERS = ['inbox.create', 'inbox.list', 'inbox.send', 'inbox.reply'] as const

type ListInput = {
  readonly inbox_id: string
  readonly message_id?: string
  readonly limit: number
  readonly page_token?: string
}

/** The in-house lane of inbox. It answers like AgentMail. Without a relay it only receives. */
export function inboxHandlers(deps: InboxDeps): ReadonlyMap<string, InHouseHandler> {
  return new Map<string, InHouseHandler>([
    [
      'inbox.create',
      async (input, tools) => {
        const made = await createInbox(deps, input as NewInbox, tools)
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
    ['inbox.send', receivesOnly],
    ['inbox.reply', receivesOnly],
  ])
}

async function receivesOnly(): Promise<never> {
  throw new AppError(
    'upstream_not_configured',
    'The inboxes of this gateway only receive. Nothing was charged.',
  )
}
