import { AppError } from '../../errors/app-error.ts'
import { decodeCursor, encodeCursor } from '../../lib/cursor.ts'
import type { Id } from '../../lib/ids.ts'
import { extractReply } from './extract-reply.ts'
import type { InboxDeps } from './inbox-deps.ts'
import type { Authentication } from './receiving/check-sender.ts'
import type { StoredAttachment } from './receiving/store-message.ts'

export type MessageRow = {
  readonly id: Id
  readonly inbox: string
  readonly status: 'received' | 'sending' | 'sent' | 'unknown' | 'rejected'
  readonly message_id: string
  readonly thread_id: Id
  readonly sender: string
  readonly recipients: readonly string[]
  readonly cc: readonly string[]
  readonly reply_to: readonly string[]
  readonly subject: string
  /** Its beginning in a list; the whole text of a single message. */
  readonly body_text: string | null
  readonly body_html: string | null
  readonly in_reply_to: string | null
  readonly reference_ids: readonly string[]
  readonly authentication: Authentication | null
  readonly is_automatic: boolean
  readonly attachments: readonly StoredAttachment[]
  readonly bounces: readonly Bounce[]
  readonly size_bytes: bigint
  readonly created_at: Date
}

export type Bounce = {
  readonly recipient: string
  readonly status: string
  readonly reason: string
  readonly at: string
}

const PREVIEW_CHARACTERS = 200
const COLUMNS = `id, inbox, status, message_id, thread_id, sender, recipients, cc, reply_to, subject,
  in_reply_to, reference_ids, authentication, is_automatic, attachments, bounces, size_bytes, created_at`
// A rejected message was not sent, and the call that sends one has not ended.
const LISTED = "status in ('received', 'sent', 'unknown')"
const NO_MESSAGE_IS_LATER = 'f'.repeat(32)

const LIST = `
  select ${COLUMNS}, left(body_text, ${PREVIEW_CHARACTERS}) as body_text, null as body_html
  from inbox_messages where inbox = $1 and id < $2 and ${LISTED} order by id desc limit $3`
const FIND = `select ${COLUMNS}, body_text, body_html from inbox_messages where inbox = $1 and message_id = $2 and ${LISTED}`

/** The messages of an inbox, newest first, in the vendor's format. Throws AppError invalid_params for a wrong page_token, and unknown_inbox for a deleted inbox. */
export async function listMessages(
  { database }: Pick<InboxDeps, 'database'>,
  inbox: string,
  { limit, page_token: token }: { readonly limit: number; readonly page_token?: string },
): Promise<object> {
  const before = token === undefined ? NO_MESSAGE_IS_LATER : readToken(token)
  const { rows } = await database.query<MessageRow>(LIST, [inbox, before, limit + 1])
  if (rows.length === 0) await requireInbox(database, inbox)
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    count: shown.length,
    limit,
    next_page_token: rows.length > limit && last !== undefined ? encodeCursor(last.id) : null,
    messages: shown.map(describeMessage),
  }
}

/** Owners of a deleted inbox have its reference. */
async function requireInbox(database: InboxDeps['database'], inbox: string): Promise<void> {
  const { count } = await database.query('select 1 from inboxes where address = $1', [inbox])
  if (count === 0) throw new AppError('unknown_inbox')
}

function readToken(token: string): Id {
  try {
    return decodeCursor(token)
  } catch {
    throw new AppError('invalid_params', '"page_token" is not a token of this list.', {
      param: 'page_token',
      fix: 'Send next_page_token of the previous page, or omit it for the first page.',
    })
  }
}

/** Throws AppError upstream_not_found for a message that the inbox does not have. */
export async function findMessage(
  { database }: Pick<InboxDeps, 'database'>,
  inbox: string,
  messageId: string,
): Promise<MessageRow> {
  const { rows } = await database.query<MessageRow>(FIND, [inbox, messageId])
  const [row] = rows
  if (row === undefined)
    throw new AppError('upstream_not_found', 'This inbox has no such message.', {
      param: 'message_id',
      fix: 'Send a message_id from inbox/list-messages of the same inbox.',
    })
  return row
}

/** A single message, with its text. */
export function describeWhole(row: MessageRow): object {
  return {
    ...describeMessage(row),
    text: row.body_text,
    extracted_text: row.body_text === null ? null : extractReply(row.body_text),
    html: row.body_html,
    in_reply_to: row.in_reply_to,
    references: row.reference_ids,
  }
}

function describeMessage(row: MessageRow): object {
  const at = row.created_at.toISOString()
  return {
    inbox_id: row.inbox,
    thread_id: row.thread_id,
    message_id: row.message_id,
    labels: labelsOf(row),
    timestamp: at,
    from: row.sender,
    to: row.recipients,
    cc: row.cc,
    reply_to: row.reply_to,
    subject: row.subject,
    preview: (row.body_text ?? '').slice(0, PREVIEW_CHARACTERS).replaceAll(/\s+/g, ' ').trim(),
    attachments: row.attachments.map(({ file_id: fileId, ...rest }) => ({
      attachment_id: fileId,
      ...rest,
    })),
    authentication: row.authentication,
    bounces: row.bounces,
    size: Number(row.size_bytes),
    created_at: at,
  }
}

function labelsOf({ status, bounces, is_automatic: isAutomatic }: MessageRow): string[] {
  return [
    status === 'unknown' ? 'unconfirmed' : status,
    ...(isAutomatic ? ['automatic'] : []),
    ...(bounces.length > 0 ? ['bounced'] : []),
  ]
}
