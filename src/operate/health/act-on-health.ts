/** Actions of an operator on jobs, webhooks, deliveries and vendors' routes, with their audit entries. */
import { deleteGoneRoute, readGoneRoutes, routeKey } from '../../calls/lanes/gone-routes.ts'
import type { Database } from '../../db/database.ts'
import { recordChange } from '../../db/record-change.ts'
import { AppError } from '../../errors/app-error.ts'
import { redeliver } from '../../events/delivery/redeliver.ts'
import { updateWebhook } from '../../events/webhooks/change-webhook.ts'
import type { WebhookDeps } from '../../events/webhooks/webhook-deps.ts'
import { cancelJob } from '../../jobs/cancel.ts'
import { parsePublicId, type Id, type IdKind } from '../../lib/ids.ts'
import type { Mode } from '../../lib/mode.ts'
import type { Owner } from '../../lib/owner.ts'

const TABLES = { job: 'jobs', webhook: 'webhooks', delivery: 'deliveries' } as const

/** The owner of a job, webhook or delivery, with the rights of the whole account. Throws AppError not_found. */
async function findOwner(
  { query }: Database,
  kind: keyof typeof TABLES & IdKind,
  publicId: string,
): Promise<{ readonly id: Id; readonly owner: Owner }> {
  const id = parsePublicId(kind, publicId)
  const { rows } =
    id === null
      ? { rows: [] }
      : await query<{ account_id: Id; mode: Mode }>(
          `select account_id, mode from ${TABLES[kind]} where id = $1`,
          [id],
        )
  const [row] = rows
  if (id === null || row === undefined)
    throw new AppError('not_found', `Unknown ${kind} "${publicId}".`)
  return { id, owner: { accountId: row.account_id, mode: row.mode, keyId: null, scope: 'account' } }
}

/** Ends a job early, as its caller can. Throws AppError not_found, bad_request. */
export async function cancelAnyJob(
  { database, now }: Pick<WebhookDeps, 'database' | 'now'>,
  jobId: string,
): Promise<void> {
  const { id, owner } = await findOwner(database, 'job', jobId)
  const isCancelled = await cancelJob(database, id, now(), (tx) =>
    recordChange(tx, {
      accountId: owner.accountId,
      subject: 'job',
      subjectId: jobId,
      what: 'changed',
      fields: { cancelled: [false, true] },
    }),
  )
  if (!isCancelled)
    throw new AppError('bad_request', 'This job has already ended or is being cancelled.', {
      fix: 'Reload the page to see its state. Nothing has changed.',
    })
}

/** Enables a webhook that was disabled because it failed. Throws AppError not_found, bad_url. */
export async function enableAnyWebhook(webhooks: WebhookDeps, webhookId: string): Promise<void> {
  const { owner } = await findOwner(webhooks.database, 'webhook', webhookId)
  await updateWebhook(webhooks, owner, webhookId, { status: 'active' }, async (tx, before) => {
    if (before.status === 'active') return
    await recordChange(tx, {
      accountId: owner.accountId,
      subject: 'webhook',
      subjectId: webhookId,
      what: 'changed',
      fields: { status: [before.status, 'active'] },
    })
  })
}

/** Sends a delivery again. Throws AppError not_found, bad_request. */
export async function redeliverAny(webhooks: WebhookDeps, deliveryId: string): Promise<void> {
  const { owner } = await findOwner(webhooks.database, 'delivery', deliveryId)
  await redeliver(webhooks, owner, deliveryId, (tx, before) =>
    recordChange(tx, {
      accountId: owner.accountId,
      subject: 'delivery',
      subjectId: deliveryId,
      what: 'changed',
      fields: { status: [before, 'waiting'] },
    }),
  )
}

/**
 * Removes a route from the list of those that are gone, so calls use it again within five seconds.
 * `key` is its `routeKey`. Throws AppError bad_request.
 */
export async function clearGoneRoute(database: Database, key: string): Promise<void> {
  const isCleared = await database.transaction(async (tx) => {
    const route = (await readGoneRoutes(tx)).find((gone) => routeKey(gone) === key)
    if (route === undefined || !(await deleteGoneRoute(tx, route))) return false
    await recordChange(tx, {
      accountId: null,
      subject: 'gone_route',
      subjectId: key,
      what: 'deleted',
      fields: { status: [route.status, null] },
    })
    return true
  })
  if (!isCleared)
    throw new AppError('bad_request', 'This route is no longer on the list.', {
      fix: 'Reload the page. Nothing has changed.',
    })
}
