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
  /** A webhook, or the host and port of a job's `webhook_url`. */
  readonly receiver: string
  /** Whether a server at the host has answered the account with 2xx before. */
  readonly is_proved: boolean
}

/** The places that a worker gives: to an account, to one receiver, and to all slow receivers. */
export type Shares = {
  readonly account: number
  readonly receiver: number
  readonly slow: number
}

/** Tries in progress by the keys of `claim_deliveries`, and receivers whose last try took long. */
export type Places = {
  readonly used: Readonly<Record<string, number>>
  readonly slow: readonly string[]
}

/**
 * Claims up to `count` due deliveries, the earliest first, within the shares and within the rates
 * of their hosts and accounts, which hold over all processes. Those of paused accounts wait.
 */
export async function claimDeliveries(
  database: Database,
  worker: Id,
  count: number,
  { used, slow, shares }: Places & { readonly shares: Shares },
  nowMs: number,
): Promise<readonly Claimed[]> {
  const claimed = await database.query<{ id: Id }>(
    'select id from claim_deliveries($1, $2, $3, $4, $5, $6, $7, $8, $9) as id',
    [
      worker,
      nowMs,
      LEASE_MS,
      count,
      JSON.stringify(used),
      slow,
      shares.account,
      shares.receiver,
      shares.slow,
    ],
    'deliveries_claim',
  )
  if (claimed.count === 0) return []
  // Separate, because the claim may have waited for rows that its own snapshot does not have.
  const { rows } = await database.query<Claimed>(
    `select ${EVENT_COLUMNS}, deliveries.id as delivery_id, deliveries.account_id, deliveries.mode,
       deliveries.key_id, deliveries.tries, deliveries.webhook_id, address as url, webhooks.format,
       webhooks.secret, webhooks.former_secret, webhooks.former_until_ms,
       delivery_receiver(webhook_id, address) as receiver, proved_ms is not null as is_proved
     from deliveries join events on events.id = deliveries.event_id
       left join webhooks on webhooks.id = deliveries.webhook_id
       cross join lateral (select coalesce(deliveries.url, webhooks.url) as address) as target
       left join delivery_paces on lane = url_host(address) and delivery_paces.account_id = deliveries.account_id
     where deliveries.id = any($1::uuid[])
     order by deliveries.next_ms, events.sequence`,
    [claimed.rows.map(({ id }) => id)],
    'deliveries_claimed',
  )
  return rows
}
