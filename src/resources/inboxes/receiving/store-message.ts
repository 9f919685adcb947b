import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Transaction } from '../../../db/database.ts'
import { HOUR_MS } from '../../../lib/clock.ts'
import { newId, parsePublicId, type Id } from '../../../lib/ids.ts'
import type { Owner } from '../../../lib/owner.ts'
import { deleteFile } from '../../files/delete-file.ts'
import { saveOutput } from '../../files/save-output.ts'
import type { FoundInbox } from '../find-inbox.ts'
import type { InboxDeps } from '../inbox-deps.ts'
import type { Authentication } from './check-sender.ts'
import type { ParsedAttachment, ParsedMessage } from './parsed-message.ts'
import { SmtpRefusal } from './smtp-refusal.ts'

/** A message that passed all checks. */
export type AcceptedMessage = {
  readonly raw: Buffer
  readonly message: ParsedMessage
  readonly authentication: Authentication
}

export type StoredAttachment = {
  readonly file_id: string
  readonly filename: string
  readonly content_type: string
  readonly content_disposition: string | null
  readonly content_id: string | null
  readonly size: number
}

// Until the message is committed, an interrupted delivery leaves files that the sweep deletes.
const UNCOMMITTED_MS = HOUR_MS

type StoreDeps = Pick<InboxDeps, 'database' | 'files' | 'now' | 'domain' | 'limits'>

/**
 * Stores a message durably, with its attachments as files of the account. Returns false if the inbox
 * already has it. Throws SmtpRefusal 452 for a full inbox, account or file storage.
 */
export async function storeMessage(
  deps: StoreDeps,
  inbox: FoundInbox,
  accepted: AcceptedMessage,
): Promise<boolean> {
  const hash = contentHash(accepted)
  if (await isStored(deps, inbox, hash)) return false
  const owner: Owner = {
    accountId: inbox.account_id,
    mode: 'live',
    keyId: inbox.key_id,
    scope: 'account',
  }
  const attachments: StoredAttachment[] = []
  try {
    for (const attachment of accepted.message.attachments)
      attachments.push(await saveAttachment(deps, owner, attachment))
    const isNew = await commit(deps, inbox, { ...accepted, hash, attachments })
    if (!isNew) await deleteAttachments(deps, owner, attachments)
    return isNew
  } catch (error) {
    await deleteAttachments(deps, owner, attachments).catch(() => undefined)
    throw error
  }
}

/** The same for every delivery of a message: servers on its way add other fields. */
function contentHash({ raw, message }: AcceptedMessage): Buffer {
  const end = raw.indexOf('\r\n\r\n')
  return createHash('sha256')
    .update(JSON.stringify([message.messageId, message.from, message.date, message.subject]))
    .update(end < 0 ? raw : raw.subarray(end))
    .digest()
}

async function isStored(
  { database }: StoreDeps,
  { address }: FoundInbox,
  hash: Buffer,
): Promise<boolean> {
  const { rows } = await database.query(
    'select 1 from inbox_messages where inbox = $1 and content_hash = $2',
    [address, hash],
    'is_stored_message',
  )
  return rows.length > 0
}

async function saveAttachment(
  { files, now }: StoreDeps,
  owner: Owner,
  { filename, contentType, disposition, contentId, content }: ParsedAttachment,
): Promise<StoredAttachment> {
  const file = await saveOutput(
    files,
    owner,
    {
      filename,
      mime: contentType,
      source: 'inbox/list-messages',
      tags: ['email'],
      expectedBytes: content.byteLength,
      expiresMs: now() + UNCOMMITTED_MS,
    },
    Readable.from([Buffer.from(content.buffer, content.byteOffset, content.byteLength)]),
  )
  return {
    file_id: file.file_id,
    filename,
    content_type: contentType,
    content_disposition: disposition,
    content_id: contentId,
    size: content.byteLength,
  }
}

async function deleteAttachments(
  { files }: StoreDeps,
  owner: Owner,
  attachments: readonly StoredAttachment[],
): Promise<void> {
  for (const { file_id: fileId } of attachments) await deleteFile(files, owner, fileId)
}

type ToStore = AcceptedMessage & {
  readonly hash: Buffer
  readonly attachments: readonly StoredAttachment[]
}

/** At least the size of the attachments, so that the limits include their files. */
function sizeOf(raw: Buffer, attachments: readonly StoredAttachment[]): number {
  return Math.max(
    raw.length,
    attachments.reduce((sum, { size }) => sum + size, 0),
  )
}

const RESERVE =
  'update inboxes set stored_bytes = stored_bytes + $2 where address = $1 and stored_bytes + $2 <= $3'

const INSERT = `
  insert into inbox_messages (id, inbox, account_id, key_id, status, message_id, thread_id, content_hash,
    sender, recipients, cc, reply_to, subject, body_text, body_html, in_reply_to, reference_ids,
    authentication, is_automatic, attachments, size_bytes, created_at)
  values ($1, $2, $3, $4, 'received', $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21)`

/** Locks the account and the inbox, so its limit is exact, and deliveries of one message follow each other. */
async function reserve(
  tx: Transaction,
  { address, account_id: accountId }: FoundInbox,
  size: number,
  limits: InboxDeps['limits'],
): Promise<void> {
  await tx.query('select 1 from accounts where id = $1 for no key update', [accountId])
  const reserved = await tx.query(RESERVE, [address, size, limits.maxInboxBytes])
  if (reserved.count === 0) throw new SmtpRefusal(452, '4.2.2 The mailbox is full')
  const { rows } = await tx.query<{ used: bigint }>(
    'select sum(stored_bytes)::bigint as used from inboxes where account_id = $1',
    [accountId],
  )
  if (Number(rows[0]?.used ?? 0n) > limits.maxAccountBytes)
    throw new SmtpRefusal(452, '4.2.2 The mailboxes of the account are full')
}

/** False for a message that a concurrent delivery stored first. */
async function commit(
  { database, now, domain, limits }: StoreDeps,
  inbox: FoundInbox,
  { raw, message, authentication, hash, attachments }: ToStore,
): Promise<boolean> {
  const { address } = inbox
  const at = new Date(now())
  const size = sizeOf(raw, attachments)
  return database.transaction(async (tx) => {
    await reserve(tx, inbox, size, limits)
    const known = await tx.query(
      'select 1 from inbox_messages where inbox = $1 and content_hash = $2',
      [address, hash],
    )
    if (known.count > 0) {
      await tx.query('update inboxes set stored_bytes = stored_bytes - $2 where address = $1', [
        address,
        size,
      ])
      return false
    }
    await storeFilesUntil(tx, attachments, new Date(at.getTime() + limits.retentionMs))
    const id = newId(at.getTime())
    await tx.query(INSERT, [
      id,
      address,
      inbox.account_id,
      inbox.key_id,
      await freeMessageId(tx, address, message.messageId, `<${id}@${domain}>`),
      await threadOf(tx, address, message, id),
      hash,
      message.from,
      message.to,
      message.cc,
      message.replyTo,
      message.subject,
      message.text,
      message.html,
      message.inReplyTo,
      message.references,
      JSON.stringify(authentication),
      message.isAutomatic,
      JSON.stringify(attachments),
      size,
      at,
    ])
    return true
  })
}

/** Fails if the sweep has deleted a file meanwhile. */
async function storeFilesUntil(
  tx: Transaction,
  attachments: readonly StoredAttachment[],
  expiresAt: Date,
): Promise<void> {
  if (attachments.length === 0) return
  const ids = attachments.flatMap(({ file_id: fileId }) => parsePublicId('file', fileId) ?? [])
  const { count } = await tx.query(
    'update files set expires_at = $2 where id = any($1::uuid[]) and object_key is not null',
    [ids, expiresAt],
  )
  if (count < attachments.length) throw new SmtpRefusal(451, '4.3.0 Try again later')
}

/** Senders choose message ids, so another message can have the same one. */
async function freeMessageId(
  tx: Transaction,
  address: string,
  wanted: string | null,
  own: string,
): Promise<string> {
  if (wanted === null) return own
  const { count } = await tx.query(
    'select 1 from inbox_messages where inbox = $1 and message_id = $2',
    [address, wanted],
  )
  return count > 0 ? own : wanted
}

/** The conversation of the newest message that this one refers to. */
async function threadOf(
  tx: Transaction,
  address: string,
  { inReplyTo, references }: ParsedMessage,
  fallback: Id,
): Promise<Id> {
  const named = [...references, ...(inReplyTo === null ? [] : [inReplyTo])]
  if (named.length === 0) return fallback
  const { rows } = await tx.query<{ thread_id: Id }>(
    'select thread_id from inbox_messages where inbox = $1 and message_id = any($2) order by id desc limit 1',
    [address, named],
  )
  return rows[0]?.thread_id ?? fallback
}
