import type { Database, Transaction } from '../../db/database.ts'
import { DAY_MS } from '../../lib/clock.ts'
import type { Id } from '../../lib/ids.ts'
import { disableWebhook } from '../webhooks/change-webhook.ts'
import type { DisabledBecause } from '../webhooks/webhook-record.ts'
import type { Claimed } from './claim-deliveries.ts'
import type { Attempt } from './delivery-record.ts'
import { waitAfter } from './retry-schedule.ts'

/** A webhook without a success for this long is disabled at its next failure. */
const FAILING_DISABLES_MS = 5 * DAY_MS
const MOST_ATTEMPTS_STORED = 20

/** `gone`: the receiver answered 410. `postponed`: no try was made. */
export type TryResult = {
  readonly kind: 'delivered' | 'failed' | 'gone' | 'postponed'
  readonly attempt: Attempt
  readonly retryAfterMs: number
}

/** The webhook that this try disabled. */
export type Disabled = { readonly webhookId: Id; readonly because: DisabledBecause }

/**
 * Stores the result of a try. Ignored when another worker has claimed the delivery since, or when
 * it was deleted.
 */
export async function recordTry(
  database: Database,
  worker: Id,
  claimed: Claimed,
  result: TryResult,
  { nowMs, random }: { readonly nowMs: number; readonly random: number },
): Promise<Disabled | null> {
  return database.transaction(async (tx) => {
    // In the order of callers that disable a webhook: webhook, then deliveries.
    const webhook = await lockReceiver(tx, claimed.webhook_id)
    const nextMs = nextTryMs(claimed, result, nowMs, random)
    const isDelivered = result.kind === 'delivered'
    const status = isDelivered ? 'delivered' : nextMs === null ? 'failed' : 'waiting'
    const isTry = result.kind !== 'postponed'
    const { count } = await tx.query(
      `update deliveries set status = $3, tries = tries + $4, next_ms = $5, ended_ms = $6, lease_until_ms = 0, worker = null,
         attempts = case when $4 = 0 then attempts else (
           select jsonb_agg(one order by place) from (
             select one, place from jsonb_array_elements(attempts || $7::jsonb) with ordinality as all_of_them(one, place)
             order by place desc limit ${MOST_ATTEMPTS_STORED}
           ) as latest
         ) end
       where id = $1 and worker = $2 and status = 'waiting'`,
      [
        claimed.delivery_id,
        worker,
        status,
        isTry ? 1 : 0,
        nextMs ?? nowMs,
        status === 'waiting' ? null : nowMs,
        JSON.stringify([result.attempt]),
      ],
    )
    if (count > 0 && isDelivered && !claimed.is_proved) await proveHost(tx, claimed, nowMs)
    if (count === 0 || webhook === null || !isTry) return null
    return isDelivered
      ? clearFailure(tx, webhook)
      : noteFailure(tx, webhook, result.kind === 'gone', nowMs)
  })
}

function nextTryMs(
  { tries }: Claimed,
  { kind, retryAfterMs }: TryResult,
  nowMs: number,
  random: number,
): number | null {
  if (kind === 'delivered' || kind === 'gone') return null
  const wait = kind === 'postponed' ? retryAfterMs : waitAfter(tries + 1, retryAfterMs, random)
  return wait === null ? null : nowMs + wait
}

/** Ends the slow rate of a new address. Deliveries that were postponed by it are due. */
async function proveHost(
  tx: Transaction,
  { url, account_id: account, webhook_id: webhook }: Claimed,
  nowMs: number,
): Promise<void> {
  // In the order of `claim_deliveries`: deliveries, then paces.
  await tx.query(
    "update deliveries set next_ms = 0 where webhook_id = $1 and status = 'waiting' and tries = 0",
    [webhook],
  )
  await tx.query(
    'update delivery_paces set proved_ms = $3 where lane = url_host($1) and account_id = $2',
    [url, account, nowMs],
  )
}

type Receiver = { readonly id: Id; readonly failing_since_ms: bigint | null }

async function lockReceiver(tx: Transaction, id: Id | null): Promise<Receiver | null> {
  if (id === null) return null
  const { rows } = await tx.query<Receiver>(
    "select id, failing_since_ms from webhooks where id = $1 and status = 'active' for no key update",
    [id],
  )
  return rows[0] ?? null
}

async function clearFailure(
  tx: Transaction,
  { id, failing_since_ms: since }: Receiver,
): Promise<null> {
  if (since !== null)
    await tx.query('update webhooks set failing_since_ms = null where id = $1', [id])
  return null
}

async function noteFailure(
  tx: Transaction,
  { id, failing_since_ms: since }: Receiver,
  isGone: boolean,
  nowMs: number,
): Promise<Disabled | null> {
  const isFailing = since !== null && nowMs - Number(since) >= FAILING_DISABLES_MS
  if (isGone || isFailing) {
    const because = isGone ? 'gone' : 'failing'
    await disableWebhook(tx, id, because, nowMs)
    return { webhookId: id, because }
  }
  if (since === null)
    await tx.query('update webhooks set failing_since_ms = $2 where id = $1', [id, nowMs])
  return null
}
