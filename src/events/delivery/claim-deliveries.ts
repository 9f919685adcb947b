import type { Database } from '../../db/database.ts'
import type { Id } from '../../lib/ids.ts'
import type { Mode } from '../../lib/mode.ts'
import { EVENT_COLUMNS, type EventRow } from '../event-record.ts'
import type { Format } from '../webhooks/webhook-input.ts'

/** Longer than a try. After it, another worker repeats the try. */
export const LEASE_MS = 40_000

/** A delivery that this worker has claimed. `webhook_id` null: the `webhook_url` of a job. */
export type Claimed = EventRow & {
  readonly delivery_id: Id
  readonly account_id: Id
  readonly mode: Mode
  readonly key_id: Id | null
  readonly tries: number
  readonly url: string | null
  readonly webhook_id: Id | null
  readonly format: Format | null
  readonly secret: Buffer | null
  readonly former_secret: Buffer | null
  readonly former_until_ms: bigint | null
}

/** Claims up to `count` due deliveries, the earliest first, of other accounts than `atShare`. */
export async function claimDeliveries(
  database: Database,
  worker: Id,
  count: number,
  atShare: readonly Id[],
  nowMs: number,
): Promise<readonly Claimed[]> {
  const { rows } = await database.query<Claimed>(
    `with claimed as (
       update deliveries set worker = $1, lease_until_ms = $2 where id in (
         select id from deliveries where status = 'waiting' and next_ms <= $3 and lease_until_ms <= $3
           and account_id <> all($5::uuid[])
         order by next_ms limit $4 for update skip locked
       ) returning *
     )
     select ${EVENT_COLUMNS}, claimed.id as delivery_id, claimed.account_id, claimed.mode, claimed.key_id,
       claimed.tries, claimed.webhook_id, coalesce(claimed.url, webhooks.url) as url, webhooks.format,
       webhooks.secret, webhooks.former_secret, webhooks.former_until_ms
     from claimed join events on events.id = claimed.event_id
       left join webhooks on webhooks.id = claimed.webhook_id
     order by claimed.next_ms, events.sequence`,
    [worker, nowMs + LEASE_MS, nowMs, count, atShare],
    'deliveries_claim',
  )
  return rows
}
