import { findAccount } from '../../../accounts/find-account.ts'
import { listDeliveries } from '../../../events/delivery/list-deliveries.ts'
import { describeEvent } from '../../../events/delivery/message.ts'
import type { EventRecord } from '../../../events/event-record.ts'
import { listLatestEvents } from '../../../events/list-events.ts'
import { listWebhooks } from '../../../events/webhooks/change-webhook.ts'
import type { Owner } from '../../../lib/owner.ts'
import { UsageError, type Command, type Input, type Tools } from '../command.ts'
import { readChoice, readWholeNumber } from '../read-value.ts'
import { columns } from '../show.ts'

const MOST_LISTED = 1_000

const FLAGS = {
  account: { value: '<account>', about: 'account ID (acc_…) or email address', required: true },
  mode: { value: '<mode>', about: 'live or test; default: live' },
} as const

export const eventsList: Command = {
  name: 'events list',
  summary: 'list the events of an account, newest first',
  flags: { ...FLAGS, limit: { value: '<count>', about: 'maximum number of rows; default: 100' } },
  example: './tollgate events list --account jo@example.com',
  async run(input, tools) {
    const limit = readWholeNumber('limit', input.flags['limit'] ?? '100')
    if (limit < 1 || limit > MOST_LISTED)
      throw new UsageError(`--limit must be a number from 1 to ${MOST_LISTED}.`)
    const owner = await ownerOf(input, tools)
    const events = await listLatestEvents(await tools.database(), owner, limit)
    return {
      data: events,
      text:
        events.length === 0 ? 'No events.' : columns(['time', 'id', 'event'], events.map(rowOf)),
    }
  },
}

function rowOf(event: EventRecord): string[] {
  return [event.timestamp.slice(0, 19), event.id, describeEvent(event)]
}

export const webhooksList: Command = {
  name: 'webhooks list',
  summary: 'list the webhooks of an account and the result of their last delivery',
  flags: FLAGS,
  example: './tollgate webhooks list --account jo@example.com',
  async run(input, tools) {
    const owner = await ownerOf(input, tools)
    const database = await tools.database()
    const webhooks = await listWebhooks({ database, now: tools.now }, owner)
    const data = await Promise.all(
      webhooks.map(async (webhook) => {
        const page = { webhookId: webhook.id, cursor: null, limit: 1 }
        const { deliveries } = await listDeliveries(database, owner, page)
        return { ...webhook, last_delivery: deliveries[0] ?? null }
      }),
    )
    const rows = data.map(({ id, url, events, status, last_delivery: last }) => [
      id,
      status,
      last === null ? 'none' : `${last.status} ${last.created_at.slice(0, 19)}`,
      url ?? 'email',
      events.join(','),
    ])
    return {
      data,
      text:
        data.length === 0
          ? 'No webhooks.'
          : columns(['id', 'status', 'last delivery', 'address', 'events'], rows),
    }
  },
}

async function ownerOf({ flags }: Input, tools: Tools): Promise<Owner> {
  const mode = readChoice('mode', flags['mode'], ['live', 'test'], 'live')
  const { accountId } = await findAccount(await tools.database(), flags['account'] ?? '')
  return { accountId, mode, keyId: null, scope: 'account' }
}
