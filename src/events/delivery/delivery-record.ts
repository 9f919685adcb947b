import { toRfc3339 } from '../../lib/clock.ts'
import { publicId, type Id } from '../../lib/ids.ts'
import type { EventRow } from '../event-record.ts'

/** One try. `status`: of the response, or null. `note`: why it failed. */
export type Attempt = {
  readonly at_ms: number
  readonly took_ms: number
  readonly status: number | null
  readonly note: string | null
}

export type DeliveryStatus = 'waiting' | 'delivered' | 'failed'
export const DELIVERY_STATUSES = ['waiting', 'delivered', 'failed'] as const

/** A row of `deliveries` with its event and receiver. */
export type DeliveryRow = Omit<EventRow, 'id'> & {
  readonly id: Id
  readonly event_id: Id
  readonly webhook_id: Id | null
  readonly webhook_label: string | null
  readonly url: string | null
  readonly status: DeliveryStatus
  readonly next_ms: bigint
  readonly attempts: readonly Attempt[]
  readonly ended_ms: bigint | null
  readonly delivery_created_ms: bigint
}

/** A delivery as callers see it. */
export type DeliveryRecord = {
  readonly id: string
  readonly event_id: string
  readonly type: string
  /** Null for the `webhook_url` of a job. */
  readonly webhook_id: string | null
  readonly url: string | null
  readonly status: DeliveryStatus
  readonly next_try_at: string | null
  readonly tries: readonly {
    readonly at: string
    readonly took_ms: number
    readonly status: number | null
    readonly note: string | null
  }[]
  readonly ended_at: string | null
  readonly created_at: string
}

export const DELIVERY_COLUMNS = `deliveries.id, deliveries.event_id, deliveries.webhook_id, webhooks.label as webhook_label,
  coalesce(deliveries.url, webhooks.url) as url, deliveries.status, deliveries.next_ms, deliveries.attempts,
  deliveries.ended_ms, deliveries.created_ms as delivery_created_ms,
  events.type, events.sequence, events.data, events.created_ms`

export const DELIVERIES_WITH_EVENTS =
  'deliveries join events on events.id = event_id left join webhooks on webhooks.id = webhook_id'

export function deliveryRecord(row: DeliveryRow): DeliveryRecord {
  const createdMs = Number(row.delivery_created_ms)
  return {
    id: publicId('delivery', row.id),
    event_id: publicId('event', row.event_id),
    type: row.type,
    webhook_id: row.webhook_id === null ? null : publicId('webhook', row.webhook_id),
    url: row.url,
    status: row.status,
    next_try_at:
      row.status === 'waiting' ? toRfc3339(Math.max(Number(row.next_ms), createdMs)) : null,
    tries: row.attempts.map(({ at_ms: atMs, ...attempt }) => ({
      at: toRfc3339(atMs),
      ...attempt,
    })),
    ended_at: row.ended_ms === null ? null : toRfc3339(Number(row.ended_ms)),
    created_at: toRfc3339(createdMs),
  }
}
