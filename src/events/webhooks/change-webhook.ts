import type { SqlValue, Transaction } from '../../db/database.ts'
import { AppError } from '../../errors/app-error.ts'
import { publicId, type Id } from '../../lib/ids.ts'
import type { Owner } from '../../lib/owner.ts'
import { isForEmail } from '../event-types.ts'
import { requireQuotaAtHost } from './create-webhook.ts'
import { checkWebhookUrl } from './check-url.ts'
import { newSecret, receiversPart } from './secrets.ts'
import type { WebhookDeps } from './webhook-deps.ts'
import type { WebhookPatch } from './webhook-input.ts'
import {
  findWebhook,
  lockWebhook,
  VISIBLE_WEBHOOKS,
  webhookRecord,
  webhooksOf,
  type DisabledBecause,
  type WebhookRecord,
  type WebhookRow,
  type WebhookWithSecret,
} from './webhook-record.ts'

type Deps = Pick<WebhookDeps, 'database' | 'now'>

/** Newest first. A key of scope "own" sees only its own. */
export async function listWebhooks(
  { database, now }: Deps,
  owner: Owner,
): Promise<WebhookRecord[]> {
  const { rows } = await database.query<WebhookRow>(
    `select * from webhooks where ${VISIBLE_WEBHOOKS} order by id desc`,
    [...webhooksOf(owner)],
  )
  return rows.map((row) => webhookRecord(row, now()))
}

/** Throws AppError unknown_webhook. */
export async function readWebhook(
  { database, now }: Deps,
  owner: Owner,
  id: string,
): Promise<WebhookRecord> {
  return webhookRecord(await findWebhook(database, owner, id), now())
}

/** `alongside` gets the row before the change. Throws AppError unknown_webhook, invalid_params, bad_url, webhook_quota_exceeded. */
export async function updateWebhook(
  { database, now, guard }: WebhookDeps,
  owner: Owner,
  id: string,
  patch: WebhookPatch,
  alongside?: (tx: Transaction, before: WebhookRow) => Promise<void>,
): Promise<WebhookRecord> {
  const url = patch.url === undefined ? undefined : checkWebhookUrl(guard, patch.url, 'url')
  return database.transaction(async (tx) => {
    // In the order of `createWebhook`, whose count of webhooks at a host this one joins.
    if (url !== undefined)
      await tx.query('select from accounts where id = $1 for no key update', [owner.accountId])
    const row = await lockWebhook(tx, owner, id)
    if (row.format === 'email') requireFitForEmail(patch)
    if (url !== undefined) await requireQuotaAtHost(tx, owner, url, row.id)
    await setColumns(tx, row.id, {
      url,
      events: patch.events === undefined ? undefined : [...new Set(patch.events)],
      label: patch.label,
    })
    if (patch.status === 'disabled' && row.status === 'active')
      await disableWebhook(tx, row.id, 'asked', now())
    if (patch.status === 'active' && row.status === 'disabled')
      await setColumns(tx, row.id, {
        status: 'active',
        disabled_because: null,
        failing_since_ms: null,
      })
    await alongside?.(tx, row)
    return webhookRecord(await findWebhook(tx, owner, id), now())
  })
}

function requireFitForEmail({ url, events = [] }: WebhookPatch): void {
  const unfit = events.find((pattern) => !isForEmail(pattern))
  if (url !== undefined || unfit !== undefined)
    throw new AppError('invalid_params', 'Email goes to the account and is for alerts only.', {
      param: url === undefined ? 'events' : 'url',
      fix: 'Create another webhook with a url.',
    })
}

/** Replaces the secret. Both sign until the grace period ends. Throws AppError unknown_webhook. */
export async function rotateSecret(
  { database, now, secrets }: WebhookDeps,
  owner: Owner,
  id: string,
  {
    graceSeconds,
    alongside,
  }: {
    readonly graceSeconds: number
    readonly alongside?: (tx: Transaction, made: WebhookWithSecret) => Promise<void>
  },
): Promise<WebhookWithSecret> {
  return database.transaction(async (tx) => {
    const row = await lockWebhook(tx, owner, id)
    const nowMs = now()
    const secret = newSecret(row.signature)
    const isGrace = graceSeconds > 0
    await setColumns(tx, row.id, {
      secret: secrets.seal(secret, row.id),
      former_secret: isGrace ? row.secret : null,
      former_until_ms: isGrace ? nowMs + graceSeconds * 1000 : null,
    })
    const made = {
      ...webhookRecord(await findWebhook(tx, owner, id), nowMs),
      secret: receiversPart(secret),
    }
    await alongside?.(tx, made)
    return made
  })
}

/** Deletes a webhook with its deliveries. Throws AppError unknown_webhook. */
export async function deleteWebhook(
  { database, now }: Deps,
  owner: Owner,
  id: string,
): Promise<WebhookRecord> {
  return database.transaction(async (tx) => {
    const row = await lockWebhook(tx, owner, id)
    await tx.query('delete from webhooks where id = $1', [row.id])
    return webhookRecord(row, now())
  })
}

/** Sends a test event to one webhook. Returns its id. Throws AppError unknown_webhook, bad_request. */
export async function testWebhook(
  { database, now }: Deps,
  owner: Owner,
  id: string,
): Promise<{ readonly event_id: string }> {
  return database.transaction(async (tx) => {
    const row = await lockWebhook(tx, owner, id)
    if (row.status !== 'active')
      throw new AppError('bad_request', 'This webhook is disabled.', {
        fix: 'Enable it first: PATCH /api/v1/webhooks/{id} with {"status":"active"}.',
      })
    const { rows } = await tx.query<{ id: Id }>(
      `select write_event($1, $2, $3, $4, 'webhook.test', jsonb_build_object('webhook_id', $5::text), only_webhook => $6) as id`,
      [now(), row.account_id, row.mode, row.key_id, publicId('webhook', row.id), row.id],
    )
    return { event_id: publicId('event', rows[0]?.id ?? '') }
  })
}

/** Ends a webhook and its waiting deliveries, in the caller's transaction. */
export async function disableWebhook(
  tx: Transaction,
  id: Id,
  because: DisabledBecause,
  nowMs: number,
): Promise<void> {
  await setColumns(tx, id, { status: 'disabled', disabled_because: because })
  await tx.query(
    "update deliveries set status = 'failed', ended_ms = $2 where webhook_id = $1 and status = 'waiting'",
    [id, nowMs],
  )
}

async function setColumns(
  tx: Transaction,
  id: Id,
  columns: Readonly<Record<string, SqlValue | undefined>>,
): Promise<void> {
  const given = Object.entries(columns).flatMap(([column, value]) =>
    value === undefined ? [] : [{ column, value }],
  )
  if (given.length === 0) return
  const assignments = given.map(({ column }, place) => `${column} = $${place + 2}`).join(', ')
  await tx.query(`update webhooks set ${assignments} where id = $1`, [
    id,
    ...given.map(({ value }) => value),
  ])
}
