import type { Transaction } from '../../db/database.ts'
import type { Id } from '../../lib/ids.ts'

/** Ends the webhooks and waiting deliveries of an account that is being closed. */
export async function endWebhooksOf(tx: Transaction, accountId: Id): Promise<void> {
  await tx.query(
    "update webhooks set status = 'disabled', disabled_because = 'closed' where account_id = $1 and status = 'active'",
    [accountId],
  )
  await tx.query(
    "update deliveries set status = 'failed' where account_id = $1 and status = 'waiting'",
    [accountId],
  )
}

/** Deletes the events of an erased account, with its webhooks and deliveries. */
export async function forgetEventsOf(tx: Transaction, accountId: Id): Promise<void> {
  for (const table of ['deliveries', 'delivery_paces', 'webhooks', 'events', 'event_streams'])
    await tx.query(`delete from ${table} where account_id = $1`, [accountId])
}
