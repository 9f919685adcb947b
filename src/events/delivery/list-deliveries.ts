import type { Database } from '../../db/database.ts'
import { AppError } from '../../errors/app-error.ts'
import { decodeCursor, encodeCursor } from '../../lib/cursor.ts'
import { parsePublicId, type Id } from '../../lib/ids.ts'
import { onlyMaker, type Owner } from '../../lib/owner.ts'
import { eventRecord, type EventRecord } from '../event-record.ts'
import {
  DELIVERIES_WITH_EVENTS,
  DELIVERY_COLUMNS,
  deliveryRecord,
  type DeliveryRecord,
  type DeliveryRow,
  type DeliveryStatus,
} from './delivery-record.ts'

export type DeliveryFilter = {
  readonly webhookId?: string | undefined
  readonly status?: DeliveryStatus | undefined
  readonly type?: string | undefined
  readonly cursor: string | null
  readonly limit: number
}

/**
 * A key of scope "own" sees the deliveries of its own jobs and webhooks, and never those to the
 * webhooks of the account.
 */
const VISIBLE = `deliveries.account_id = $1 and deliveries.mode = $2
  and ($3::uuid is null or deliveries.key_id = $3 and (webhook_id is null or webhooks.own_only and webhooks.key_id = $3))`

function visibleTo(owner: Owner) {
  return [owner.accountId, owner.mode, onlyMaker(owner)] as const
}

/** Newest first. An unknown webhook has no deliveries. Throws AppError invalid_params. */
export async function listDeliveries(
  database: Pick<Database, 'query'>,
  owner: Owner,
  { webhookId, status, type, cursor, limit }: DeliveryFilter,
): Promise<{ readonly deliveries: readonly DeliveryRecord[]; readonly nextCursor: string | null }> {
  const webhook = webhookId === undefined ? null : parsePublicId('webhook', webhookId)
  if (webhookId !== undefined && webhook === null) return { deliveries: [], nextCursor: null }
  const { rows } = await database.query<DeliveryRow>(
    `select ${DELIVERY_COLUMNS} from ${DELIVERIES_WITH_EVENTS} where ${VISIBLE}
       and ($4::uuid is null or webhook_id = $4) and ($5::text is null or deliveries.status = $5)
       and ($6::text is null or events.type = $6) and ($7::uuid is null or deliveries.id < $7)
     order by deliveries.id desc limit $8`,
    [
      ...visibleTo(owner),
      webhook,
      status ?? null,
      type ?? null,
      cursor === null ? null : decodeCursor(cursor),
      limit + 1,
    ],
  )
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    deliveries: shown.map(deliveryRecord),
    nextCursor: rows.length > limit && last !== undefined ? encodeCursor(last.id) : null,
  }
}

export type DeliveryWithEvent = DeliveryRecord & { readonly event: EventRecord }

/** Throws AppError unknown_delivery. */
export async function readDelivery(
  database: Pick<Database, 'query'>,
  owner: Owner,
  id: string,
): Promise<DeliveryWithEvent> {
  const { rows } = await database.query<DeliveryRow>(
    `select ${DELIVERY_COLUMNS} from ${DELIVERIES_WITH_EVENTS} where ${VISIBLE} and deliveries.id = $4`,
    [...visibleTo(owner), parsePublicId('delivery', id)],
  )
  const [row] = rows
  if (row === undefined) throw new AppError('unknown_delivery')
  return { ...deliveryRecord(row), event: eventRecord({ ...row, id: row.event_id }) }
}

/** Deliveries of a webhook per hour and result; for charts. `hour`: hours since 1970. */
export type DeliveryCount = {
  readonly webhook_id: Id
  readonly hour: number
  readonly failed: number
  readonly count: number
}

export async function countDeliveries(
  database: Pick<Database, 'query'>,
  owner: Owner,
  sinceMs: number,
): Promise<readonly DeliveryCount[]> {
  const { rows } = await database.query<DeliveryCount>(
    `select webhook_id, (deliveries.created_ms / 3600000)::integer as hour, count(*)::integer as count,
       (count(*) filter (where deliveries.status = 'failed' or deliveries.status = 'waiting' and tries > 0))::integer as failed
     from ${DELIVERIES_WITH_EVENTS} where ${VISIBLE} and webhook_id is not null and deliveries.created_ms >= $4
     group by 1, 2`,
    [...visibleTo(owner), sinceMs],
  )
  return rows
}
