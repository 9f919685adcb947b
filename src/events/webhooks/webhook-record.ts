import type { Transaction, Database } from '../../db/database.ts'
import { AppError } from '../../errors/app-error.ts'
import { toRfc3339 } from '../../lib/clock.ts'
import { parsePublicId, publicId, type Id } from '../../lib/ids.ts'
import type { Mode } from '../../lib/mode.ts'
import { onlyMaker, type Owner } from '../../lib/owner.ts'
import type { Signature } from './secrets.ts'
import type { Format } from './webhook-input.ts'

export type DisabledBecause = 'asked' | 'gone' | 'failing' | 'closed'

export type WebhookRow = {
  readonly id: Id
  readonly account_id: Id
  readonly mode: Mode
  readonly key_id: Id | null
  readonly own_only: boolean
  readonly url: string | null
  readonly format: Format
  readonly events: readonly string[]
  readonly label: string | null
  readonly signature: Signature
  readonly secret: Buffer
  readonly former_secret: Buffer | null
  readonly former_until_ms: bigint | null
  readonly status: 'active' | 'disabled'
  readonly disabled_because: DisabledBecause | null
  readonly failing_since_ms: bigint | null
  readonly created_ms: bigint
}

/** A webhook as callers see it. */
export type WebhookRecord = {
  readonly id: string
  readonly url: string | null
  readonly format: Format
  readonly events: readonly string[]
  readonly label: string | null
  readonly mode: Mode
  readonly scope: 'own' | 'account'
  readonly signature: Signature
  readonly status: 'active' | 'disabled'
  readonly disabled_because: DisabledBecause | null
  readonly failing_since: string | null
  readonly former_secret_valid_until: string | null
  readonly created_at: string
}

/** With the secret, or for v1a the public key. Only create and rotate return it. */
export type WebhookWithSecret = WebhookRecord & { readonly secret: string }

export function webhookRecord(row: WebhookRow, nowMs: number): WebhookRecord {
  const formerMs = Number(row.former_until_ms ?? 0n)
  return {
    id: publicId('webhook', row.id),
    url: row.url,
    format: row.format,
    events: row.events,
    label: row.label,
    mode: row.mode,
    scope: row.own_only ? 'own' : 'account',
    signature: row.signature,
    status: row.status,
    disabled_because: row.disabled_because,
    failing_since: row.failing_since_ms === null ? null : toRfc3339(Number(row.failing_since_ms)),
    former_secret_valid_until: formerMs > nowMs ? toRfc3339(formerMs) : null,
    created_at: toRfc3339(Number(row.created_ms)),
  }
}

/** SQL condition with three parameters: a key of scope "own" sees only its own webhooks. */
export const VISIBLE_WEBHOOKS =
  'webhooks.account_id = $1 and webhooks.mode = $2 and ($3::uuid is null or webhooks.own_only and webhooks.key_id = $3)'

export function webhooksOf(owner: Owner): readonly [Id, Mode, Id | null] {
  return [owner.accountId, owner.mode, onlyMaker(owner)]
}

/**
 * Locks the row until the transaction ends. New deliveries refer to the row and do not wait for this
 * lock: they hold the lock of the event stream, for which a test event waits. Throws AppError
 * unknown_webhook.
 */
export async function lockWebhook(tx: Transaction, owner: Owner, id: string): Promise<WebhookRow> {
  return findWebhook(tx, owner, id, 'for no key update')
}

/** Throws AppError unknown_webhook. */
export async function findWebhook(
  database: Pick<Database, 'query'>,
  owner: Owner,
  id: string,
  lock: '' | 'for no key update' = '',
): Promise<WebhookRow> {
  const { rows } = await database.query<WebhookRow>(
    `select * from webhooks where ${VISIBLE_WEBHOOKS} and id = $4 ${lock}`,
    [...webhooksOf(owner), parsePublicId('webhook', id)],
  )
  const [row] = rows
  if (row === undefined) throw new AppError('unknown_webhook')
  return row
}
