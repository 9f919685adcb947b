/** The switch for emails about credit: an email webhook that the credit page creates and deletes. */
import type { Database } from '../../db/database.ts'
import { publicId, type Id } from '../../lib/ids.ts'
import type { Owner } from '../../lib/owner.ts'
import { createWebhook } from './create-webhook.ts'
import { deleteWebhook } from './change-webhook.ts'
import type { WebhookDeps } from './webhook-deps.ts'
import { VISIBLE_WEBHOOKS, webhooksOf } from './webhook-record.ts'

const LABEL = 'Credit'
const EVENTS = ['balance.low', 'balance.exhausted', 'topup.failed']

/** Whether an active email webhook receives the event, created by the switch or elsewhere. */
export async function sendsCreditEmails(
  database: Database,
  owner: Owner,
  event: 'balance.low' | 'topup.failed' = 'balance.low',
): Promise<boolean> {
  const { count } = await database.query(
    `select from webhooks where ${VISIBLE_WEBHOOKS} and format = 'email' and status = 'active' and receives_event(events, $4) limit 1`,
    [...webhooksOf(owner), event],
  )
  return count > 0
}

/**
 * Turns the emails on or off. Turning them off deletes only the webhook of the switch. Throws AppError
 * invalid_params when the gateway sends no email, and webhook_quota_exceeded.
 */
export async function setCreditEmails(
  deps: WebhookDeps,
  owner: Owner,
  isOn: boolean,
): Promise<void> {
  if (isOn === (await sendsCreditEmails(deps.database, owner))) return
  if (isOn) {
    await createEmails(deps, owner)
    return
  }
  const { rows } = await deps.database.query<{ id: Id }>(
    `select id from webhooks where ${VISIBLE_WEBHOOKS} and format = 'email' and events = $4`,
    [...webhooksOf(owner), EVENTS],
  )
  for (const { id } of rows) await deleteWebhook(deps, owner, publicId('webhook', id))
}

/** Turns the emails on unless the account already receives those of failed top-ups. Throws as `setCreditEmails`. */
export async function emailFailedTopups(deps: WebhookDeps, owner: Owner): Promise<void> {
  if (await sendsCreditEmails(deps.database, owner, 'topup.failed')) return
  // An email of their own for low balances would otherwise arrive twice.
  const sendsLow = await sendsCreditEmails(deps.database, owner, 'balance.low')
  await createEmails(deps, owner, sendsLow ? ['topup.failed'] : EVENTS)
}

async function createEmails(
  deps: WebhookDeps,
  owner: Owner,
  events: readonly string[] = EVENTS,
): Promise<void> {
  await createWebhook(deps, owner, { format: 'email', events: [...events], label: LABEL })
}
