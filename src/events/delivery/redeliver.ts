import type { Database, Transaction } from '../../db/database.ts'
import { AppError } from '../../errors/app-error.ts'
import { HOUR_MS, parseTime } from '../../lib/clock.ts'
import { firstIdAt, parsePublicId, type Id } from '../../lib/ids.ts'
import type { Owner } from '../../lib/owner.ts'
import { EVENTS_CHANNEL } from '../event-waiters.ts'
import type { WebhookDeps } from '../webhooks/webhook-deps.ts'
import type { Redelivery } from '../webhooks/webhook-input.ts'
import { findWebhook, type WebhookRow } from '../webhooks/webhook-record.ts'
import { takePace } from './take-pace.ts'
import { readDelivery } from './list-deliveries.ts'

/** Events that one request sends again. */
const MOST_EVENTS = 1_000
const REDELIVERIES = { lane: 'redeliver', intervalMs: HOUR_MS / MOST_EVENTS, burst: MOST_EVENTS }

type Deps = Pick<WebhookDeps, 'database' | 'now'>

/**
 * Sends stored events to a webhook, also those that it has received or never got. Their ids do not
 * change. Returns the number of deliveries. Throws AppError unknown_webhook, unknown_event,
 * invalid_params, bad_request, rate_limited.
 */
export async function redeliverEvents(
  { database, now }: Deps,
  owner: Owner,
  id: string,
  { event_id: event, since, until }: Redelivery,
): Promise<{ readonly deliveries: number }> {
  const webhook = await findWebhook(database, owner, id)
  requireActive(webhook)
  if (
    (event === undefined) === (since === undefined) ||
    (event !== undefined && until !== undefined)
  )
    throw new AppError('invalid_params', 'Name one event, or a range of time.', {
      param: event === undefined ? 'event_id' : 'since',
      fix: 'Send "event_id", or "since" and optionally "until".',
    })
  const ids =
    event === undefined
      ? await eventsBetween(
          database,
          webhook,
          timeOf('since', since),
          until === undefined ? now() + 1 : timeOf('until', until),
        )
      : await oneEvent(database, webhook, event)
  if (event !== undefined && ids.length === 0)
    throw new AppError('unknown_event', undefined, { param: 'event_id' })
  await database.transaction(async (tx) => {
    await takeRedeliveries(tx, webhook.account_id, ids.length, now())
    await sendAgain(tx, webhook, ids, now())
  })
  return { deliveries: ids.length }
}

/** Sends one delivery again. `alongside` gets its former status if it changes. Throws AppError unknown_delivery, bad_request, rate_limited. */
export async function redeliver(
  { database, now }: Deps,
  owner: Owner,
  id: string,
  alongside?: (tx: Transaction, before: string) => Promise<void>,
): Promise<{ readonly deliveries: number }> {
  const { webhook_id: webhookId } = await readDelivery(database, owner, id)
  if (webhookId !== null) requireActive(await findWebhook(database, owner, webhookId))
  await database.transaction(async (tx) => {
    await takeRedeliveries(tx, owner.accountId, 1, now())
    const { rows } = await tx.query<{ was: string }>(
      `with present as (
         select id, status from deliveries where id = $1 and (status <> 'waiting' or lease_until_ms < $2) for no key update
       ), again as (
         update deliveries set status = 'waiting', tries = 0, next_ms = 0, ended_ms = null
         from present where deliveries.id = present.id returning account_id, mode, present.status as was
       )
       select was, pg_notify('${EVENTS_CHANNEL}', replace(account_id::text, '-', '') || ' ' || mode) from again`,
      [parsePublicId('delivery', id), now()],
    )
    if (rows[0] !== undefined) await alongside?.(tx, rows[0].was)
  })
  return { deliveries: 1 }
}

async function takeRedeliveries(
  tx: Transaction,
  accountId: Id,
  count: number,
  nowMs: number,
): Promise<void> {
  if (count === 0) return
  const waitMs = await takePace(tx, REDELIVERIES, accountId, nowMs, count)
  if (waitMs === 0) return
  throw new AppError(
    'rate_limited',
    `An account can send ${MOST_EVENTS} events again; every hour it gets ${MOST_EVENTS} more.`,
    { retryAfterSeconds: Math.ceil(waitMs / 1000) },
  )
}

function requireActive({ status }: WebhookRow): void {
  if (status === 'active') return
  throw new AppError('bad_request', 'This webhook is disabled.', {
    fix: 'Enable it first: PATCH /api/v1/webhooks/{id} with {"status":"active"}.',
  })
}

function timeOf(param: string, text = ''): number {
  const ms = parseTime(text)
  if (ms !== null) return ms
  throw new AppError('invalid_params', `"${param}" is not a time.`, {
    param,
    fix: 'Send an RFC 3339 time, such as 2027-01-31T12:00:00Z.',
  })
}

// Test events of other webhooks are never sent.
const MATCHING = `account_id = $1 and mode = $2 and ($3::uuid is null or key_id = $3) and receives_event($4, type) and type <> 'webhook.test'`

function matching({ account_id: account, mode, key_id: key, own_only: own, events }: WebhookRow) {
  return [account, mode, own ? key : null, events] as const
}

async function oneEvent(database: Database, webhook: WebhookRow, event: string): Promise<Id[]> {
  const { rows } = await database.query<{ id: Id }>(
    `select id from events where ${MATCHING} and id = $5`,
    [...matching(webhook), parsePublicId('event', event)],
  )
  return rows.map(({ id }) => id)
}

async function eventsBetween(
  database: Database,
  webhook: WebhookRow,
  fromMs: number,
  untilMs: number,
): Promise<Id[]> {
  const { rows } = await database.query<{ id: Id }>(
    `select id from events where ${MATCHING} and id >= $5 and id < $6 order by id limit ${MOST_EVENTS + 1}`,
    [...matching(webhook), firstIdAt(fromMs), firstIdAt(untilMs)],
  )
  if (rows.length > MOST_EVENTS)
    throw new AppError('invalid_params', `The range has more than ${MOST_EVENTS} events.`, {
      param: 'since',
      fix: 'Send several shorter ranges.',
    })
  return rows.map(({ id }) => id)
}

async function sendAgain(
  tx: Transaction,
  webhook: WebhookRow,
  ids: readonly Id[],
  nowMs: number,
): Promise<void> {
  await tx.query(
    `with again as (
       insert into deliveries as present (id, event_id, account_id, mode, key_id, webhook_id, created_ms)
         select new_event_id($2), id, account_id, mode, key_id, $3, $2 from events where id = any($1::uuid[])
       on conflict (event_id, webhook_id) do update set status = 'waiting', tries = 0, next_ms = 0, ended_ms = null
         where present.status <> 'waiting' or present.lease_until_ms < $2
       returning account_id, mode
     )
     select pg_notify('${EVENTS_CHANNEL}', replace(account_id::text, '-', '') || ' ' || mode)
       from (select distinct account_id, mode from again) as streams`,
    [ids, nowMs, webhook.id],
  )
}
