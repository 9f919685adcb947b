import { createHash } from 'node:crypto'
import type { CallTools } from '../../../catalog/vocabulary/handlers.ts'
import type { Transaction } from '../../../db/database.ts'
import { AppError } from '../../../errors/app-error.ts'
import { DAY_MS } from '../../../lib/clock.ts'
import { firstIdAt, newId, type Id } from '../../../lib/ids.ts'
import type { InboxDeps } from '../inbox-deps.ts'
import type { Draft } from './compose.ts'
import type { RejectedRecipient, RelayOutcome } from './relay.ts'
import { outsideDomains, requireReachable, transmitMessage } from './transmit-message.ts'

/** The content of a new message, or of a reply in a conversation. */
export type Writing = Omit<Draft, 'displayName' | 'messageId'> & {
  readonly threadId: Id | null
  /** The parameter that names the recipients. */
  readonly recipientsParam: 'to' | 'message_id'
  /** Throws AppError. It runs while the account is locked, so concurrent messages see each other. */
  readonly check?: (tx: Transaction) => Promise<void>
}

export type SentMessage = {
  readonly message_id: string
  readonly thread_id: Id
  /** Recipients that the relay refused, or whose inbox did. */
  readonly bounces: readonly RejectedRecipient[]
}

type Sender = Pick<CallTools, 'accountId' | 'keyId' | 'callId'>

/** A process answers its call long before. */
const LONGEST_SENDING_MS = 120_000

/**
 * Sends a message. A repeated call with the same idempotency key never sends it again, also if the
 * first call ended without an answer. Throws AppError `invalid_params` for recipients that need a
 * relay, `upstream_rejected` and `upstream_busy` when it is refused, and `upstream_timeout` when it
 * may have been sent.
 */
export async function sendMessage(
  deps: InboxDeps,
  writing: Writing,
  sender: Sender,
): Promise<SentMessage> {
  if (writing.text === undefined && writing.html === undefined)
    throw new AppError('invalid_params', 'The message has no content.', {
      param: 'text',
      fix: 'Send "text", "html" or both.',
    })
  requireReachable(deps, writing, writing.recipientsParam)
  const key = await findKey(deps, sender)
  const begun = await deps.database.transaction((tx) => begin(tx, deps, writing, sender, key))
  return begun.kind === 'repeated'
    ? replay(deps, begun.row)
    : transmit(deps, writing, begun, sender)
}

/** The hash of the call's idempotency key; null for a call without one. */
async function findKey({ database }: InboxDeps, { callId }: Sender): Promise<Buffer | null> {
  const { rows } = await database.query<{ route: string; idempotency_key: string }>(
    'select route, idempotency_key from answers where call_id = $1',
    [callId],
  )
  const [row] = rows
  return row === undefined
    ? null
    : createHash('sha256').update(`${row.route}\0${row.idempotency_key}`).digest()
}

type Row = {
  readonly id: Id
  readonly status: 'sending' | 'sent' | 'unknown'
  readonly message_id: string
  readonly thread_id: Id
  readonly bounces: readonly RejectedRecipient[]
  readonly created_at: Date
}
type Begun =
  | { readonly kind: 'repeated'; readonly row: Row }
  | {
      readonly kind: 'new'
      readonly id: Id
      readonly messageId: string
      readonly threadId: Id
      readonly displayName: string | null
    }

const FIND_SENT = `select id, status, message_id, thread_id, bounces, created_at from inbox_messages
  where account_id = $1 and send_key = $2 and created_at > $3`
const INSERT = `
  insert into inbox_messages (id, inbox, account_id, key_id, status, message_id, thread_id, sender, recipients,
    subject, body_text, body_html, in_reply_to, reference_ids, size_bytes, send_key, created_at)
  values ($1, $2, $3, $4, 'sending', $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`

/** Records the message before the relay gets it. The row of the account serializes its messages. */
async function begin(
  tx: Transaction,
  deps: InboxDeps,
  writing: Writing,
  { accountId, keyId }: Sender,
  key: Buffer | null,
): Promise<Begun> {
  const { now, domain, limits } = deps
  const nowMs = now()
  const dayAgo = new Date(nowMs - DAY_MS)
  await tx.query('select 1 from accounts where id = $1 for no key update', [accountId])
  if (key !== null) {
    const { rows } = await tx.query<Row>(FIND_SENT, [accountId, key, dayAgo])
    if (rows[0] !== undefined) return { kind: 'repeated', row: rows[0] }
    // Idempotency keys are free again after a day.
    await tx.query(
      'update inbox_messages set send_key = null where account_id = $1 and send_key = $2',
      [accountId, key],
    )
  }
  await writing.check?.(tx)
  const domains = outsideDomains(deps, writing.to)
  if (domains.length > 0) deps.ration.admit(accountId, domains)
  await requireAllowance(tx, accountId, {
    since: firstIdAt(dayAgo.getTime()),
    adding: writing.to.length,
    most: limits.sendsPerDay,
  })
  const id = newId(nowMs)
  const messageId = `<${id}@${domain}>`
  const threadId = writing.threadId ?? id
  const displayName = await readDisplayName(tx, writing.inbox)
  await tx.query(INSERT, [
    id,
    writing.inbox,
    accountId,
    keyId,
    messageId,
    threadId,
    displayName === null ? writing.inbox : `${displayName} <${writing.inbox}>`,
    writing.to,
    writing.subject,
    writing.text ?? null,
    writing.html ?? null,
    writing.inReplyTo,
    writing.references,
    (writing.text ?? '').length + (writing.html ?? '').length,
    key,
    new Date(nowMs),
  ])
  return { kind: 'new', id, messageId, threadId, displayName }
}

async function requireAllowance(
  tx: Transaction,
  accountId: Id,
  { since, adding, most }: { readonly since: Id; readonly adding: number; readonly most: number },
): Promise<void> {
  const { rows } = await tx.query<{ count: bigint }>(
    "select coalesce(sum(cardinality(recipients)), 0)::bigint as count from inbox_messages where account_id = $1 and status <> 'received' and id >= $2",
    [accountId, since],
  )
  if (Number(rows[0]?.count ?? 0n) + adding > most)
    throw new AppError(
      'rate_limited',
      `An account may send to ${most} recipients within 24 hours. Nothing was charged.`,
      { fix: 'Try again later, or ask the operator of this gateway.', retryAfterSeconds: 3_600 },
    )
}

async function readDisplayName(tx: Transaction, inbox: string): Promise<string | null> {
  const { rows } = await tx.query<{ display_name: string | null }>(
    'select display_name from inboxes where address = $1',
    [inbox],
  )
  if (rows[0] === undefined) throw new AppError('unknown_inbox')
  return rows[0].display_name
}

async function replay(deps: InboxDeps, row: Row): Promise<SentMessage> {
  if (row.status === 'sent')
    return { message_id: row.message_id, thread_id: row.thread_id, bounces: row.bounces }
  if (row.status === 'sending' && row.created_at.getTime() > deps.now() - LONGEST_SENDING_MS)
    throw new AppError('idempotency_in_progress')
  await endSending(deps, row.id, 'unknown')
  throw maySent()
}

async function transmit(
  deps: InboxDeps,
  writing: Writing,
  { id, messageId, threadId, displayName }: Extract<Begun, { readonly kind: 'new' }>,
  sender: Sender,
): Promise<SentMessage> {
  const outcome = await transmitMessage(deps, { ...writing, displayName, messageId }, id)
  ration(deps, writing, sender, outcome)
  if (outcome.kind === 'accepted') {
    await endSending(deps, id, 'sent', outcome.rejected)
    return { message_id: messageId, thread_id: threadId, bounces: outcome.rejected }
  }
  await endSending(deps, id, outcome.kind)
  if (outcome.kind === 'unknown') throw maySent()
  throw outcome.isPermanent
    ? new AppError(
        'upstream_rejected',
        `The message was rejected: ${outcome.reason} Nothing was charged.`,
        { fix: 'Check the recipients and the content.' },
      )
    : new AppError('upstream_busy', 'The message cannot be sent now. Nothing was charged.', {
        retryAfterSeconds: 60,
        cause: outcome.reason,
      })
}

/** Counts a message that the relay rejects for good, or may have sent. While it is away, it sends nothing. */
function ration(
  deps: InboxDeps,
  { to }: Writing,
  { accountId }: Sender,
  outcome: RelayOutcome,
): void {
  const domains = outsideDomains(deps, to)
  if (domains.length === 0) return
  if (outcome.kind === 'accepted') deps.ration.paid(accountId)
  else if (outcome.kind === 'unknown' || outcome.isPermanent) deps.ration.start(accountId, domains)
}

/** A rejected message frees the idempotency key, so that a repeated call sends it. */
async function endSending(
  { database, now }: InboxDeps,
  id: Id,
  status: 'sent' | 'unknown' | 'rejected',
  rejected: readonly RejectedRecipient[] = [],
): Promise<void> {
  const at = new Date(now()).toISOString()
  await database.query(
    `update inbox_messages set status = $2, bounces = bounces || $3::jsonb,
       send_key = case when $2 = 'rejected' then null else send_key end where id = $1 and status = 'sending'`,
    [id, status, JSON.stringify(rejected.map((one) => ({ ...one, at })))],
  )
}

function maySent(): AppError {
  return new AppError(
    'upstream_timeout',
    'The relay did not confirm the message, so it may have been sent. Nothing was charged.',
    {
      fix: 'inbox/list-messages lists it with the label "unconfirmed". The same Idempotency-Key never sends it again; another key does.',
    },
  )
}
