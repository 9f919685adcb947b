import type { Transaction } from '../../db/database.ts'
import { AppError } from '../../errors/app-error.ts'
import { newId, publicId, type Id } from '../../lib/ids.ts'
import type { Owner } from '../../lib/owner.ts'
import { isForEmail } from '../event-types.ts'
import { checkWebhookUrl } from './check-url.ts'
import { checkSecret, newSecret, receiversPart } from './secrets.ts'
import type { WebhookDeps } from './webhook-deps.ts'
import type { NewWebhook } from './webhook-input.ts'
import {
  findWebhook,
  VISIBLE_WEBHOOKS,
  webhookRecord,
  webhooksOf,
  type WebhookWithSecret,
} from './webhook-record.ts'

/** Webhooks that an account has in a mode, and a key of scope "own" among them. */
export const MOST_WEBHOOKS = { account: 50, own: 5 } as const
/** Of an account in a mode at one host, so that one event is not many requests to it. */
export const MOST_AT_HOST = 5

type Alongside = (tx: Transaction, made: WebhookWithSecret) => Promise<void>

/**
 * Registers a webhook. Only this result contains the secret. Throws AppError invalid_params,
 * bad_url, webhook_quota_exceeded, and invalid_token when the key was revoked meanwhile.
 */
export async function createWebhook(
  { database, now, guard, secrets, sendsEmail }: WebhookDeps,
  owner: Owner,
  input: NewWebhook,
  alongside?: Alongside,
): Promise<WebhookWithSecret> {
  const { format = 'json', signature = 'v1', label = null, events } = input
  const url = format === 'email' ? checkEmail(input, sendsEmail) : requireUrl(guard, input.url)
  if (signature === 'v1a' && typeof input.secret === 'string')
    throw new AppError('invalid_params', 'The gateway creates the key pair of v1a.', {
      param: 'secret',
      fix: 'Omit "secret", or choose the signature "v1".',
    })
  const secret = typeof input.secret === 'string' ? checkSecret(input.secret) : newSecret(signature)
  const nowMs = now()
  const id = newId(nowMs)
  return database.transaction(async (tx) => {
    // Concurrent creations for the same account wait here, so that each counts the others.
    await tx.query('select from accounts where id = $1 for no key update', [owner.accountId])
    await requireOpenKey(tx, owner)
    await requireQuota(tx, owner)
    if (url !== null) await requireQuotaAtHost(tx, owner, url)
    await tx.query(
      `insert into webhooks (id, account_id, mode, key_id, own_only, url, format, events, label, signature, secret, created_ms)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
      [
        id,
        owner.accountId,
        owner.mode,
        owner.keyId,
        owner.scope === 'own',
        url,
        format,
        [...new Set(events)],
        label,
        signature,
        secrets.seal(secret, id),
        nowMs,
      ],
    )
    const row = await findWebhook(tx, owner, publicId('webhook', id))
    const made = { ...webhookRecord(row, nowMs), secret: receiversPart(secret) }
    await alongside?.(tx, made)
    return made
  })
}

function requireUrl(guard: WebhookDeps['guard'], url: string | undefined): string {
  if (url === undefined)
    throw new AppError('invalid_params', 'A webhook needs a url.', {
      param: 'url',
      fix: 'Send the address that accepts the events, or the format "email".',
    })
  return checkWebhookUrl(guard, url, 'url')
}

function checkEmail({ url, events }: NewWebhook, sendsEmail: boolean): null {
  if (!sendsEmail)
    throw new AppError('invalid_params', 'This gateway sends no email.', {
      param: 'format',
      fix: 'Use the format "json" or "slack" with a url, or ask the operator to set SMTP_URL.',
    })
  if (url !== undefined)
    throw new AppError('invalid_params', 'Email goes to the address of the account.', {
      param: 'url',
      fix: 'Omit "url" for the format "email".',
    })
  const unfit = events.find((pattern) => !isForEmail(pattern))
  if (unfit !== undefined)
    throw new AppError('invalid_params', `"${unfit}" can be too many emails.`, {
      param: 'events',
      fix: 'Email is for alerts, such as "key.*" and "balance.*". Send job events to a url.',
    })
  return null
}

async function requireOpenKey(tx: Transaction, { keyId }: Owner): Promise<void> {
  const { rows } = await tx.query('select from budgets where id = $1 and state = $2', [
    keyId,
    'closed',
  ])
  if (rows.length > 0) throw new AppError('invalid_token', 'This key was revoked.')
}

async function requireQuota(tx: Transaction, owner: Owner): Promise<void> {
  const { rows } = await tx.query<{ count: bigint }>(
    `select count(*) as count from webhooks where ${VISIBLE_WEBHOOKS}`,
    [...webhooksOf(owner)],
  )
  const most = MOST_WEBHOOKS[owner.scope]
  if ((rows[0]?.count ?? 0n) >= most)
    throw new AppError(
      'webhook_quota_exceeded',
      owner.scope === 'own'
        ? `A key can have at most ${most} webhooks.`
        : `An account can have at most ${most} webhooks of each mode.`,
      { details: { max_webhooks: most } },
    )
}

/** Counts the other webhooks at the host of `url`. Throws AppError webhook_quota_exceeded. */
export async function requireQuotaAtHost(
  tx: Transaction,
  { accountId, mode }: Pick<Owner, 'accountId' | 'mode'>,
  url: string,
  except: Id | null = null,
): Promise<void> {
  const { rows } = await tx.query<{ count: bigint }>(
    `select count(*) as count from webhooks
     where account_id = $1 and mode = $2 and url_host(url) = url_host($3) and id is distinct from $4`,
    [accountId, mode, url, except],
  )
  if ((rows[0]?.count ?? 0n) >= MOST_AT_HOST)
    throw new AppError(
      'webhook_quota_exceeded',
      `An account can have at most ${MOST_AT_HOST} webhooks at one host.`,
      {
        param: 'url',
        fix: 'Subscribe one webhook to several types, and distribute the events behind it.',
        details: { max_webhooks: MOST_AT_HOST },
      },
    )
}
