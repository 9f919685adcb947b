import type { CallTools } from '../../../catalog/vocabulary/handlers.ts'
import type { Transaction } from '../../../db/database.ts'
import { AppError } from '../../../errors/app-error.ts'
import { HOUR_MS } from '../../../lib/clock.ts'
import { firstIdAt } from '../../../lib/ids.ts'
import { findMessage, type MessageRow } from '../list-messages.ts'
import type { InboxDeps } from '../inbox-deps.ts'
import { sendMessage, type SentMessage } from './send-message.ts'

export type ReplyInput = {
  readonly inbox_id: string
  readonly message_id: string
  readonly text?: string
  readonly html?: string
}

const MAX_REFERENCES = 20
const MAX_SUBJECT = 998
/** Two programs that answer each other stop here. */
const REPLIES_PER_HOUR = 20
const ADDRESS = /^[^\s<>"(),;:\\[\]@\p{Cc}]{1,64}@[a-z0-9.-]{1,253}$/iu

/** Replies to the sender of a message, in its conversation. Throws AppError like `sendMessage`, and for messages that no reply may follow. */
export async function replyToMessage(
  deps: InboxDeps,
  input: ReplyInput,
  sender: Pick<CallTools, 'accountId' | 'keyId' | 'callId'>,
): Promise<SentMessage> {
  const { inbox_id: inbox, message_id: messageId, text, html } = input
  const message = await findMessage(deps, inbox, messageId)
  const to = recipientsOf(message)
  requirePerson(message, to)
  return sendMessage(
    deps,
    {
      inbox,
      to,
      subject: /^re:/i.test(message.subject)
        ? message.subject.slice(0, MAX_SUBJECT)
        : `Re: ${message.subject}`.slice(0, MAX_SUBJECT),
      text,
      html,
      inReplyTo: messageId,
      references: referencesOf(message),
      threadId: message.thread_id,
      recipientsParam: 'message_id',
      check: (tx) => requireNoLoop(tx, message, deps.now()),
    },
    sender,
  )
}

/** The first message of the conversation, and the latest ones. */
function referencesOf({
  reference_ids: known,
  in_reply_to: parent,
  message_id: id,
}: MessageRow): string[] {
  const before = known.length > 0 ? known : parent === null ? [] : [parent]
  const all = [...new Set([...before, id])]
  return all.length <= MAX_REFERENCES ? all : [...all.slice(0, 1), ...all.slice(1 - MAX_REFERENCES)]
}

/** The sender of a received message; the recipients of a sent one. */
function recipientsOf(message: MessageRow): string[] {
  const named =
    message.status !== 'received'
      ? message.recipients
      : message.reply_to.length > 0
        ? message.reply_to
        : [message.sender]
  const addresses = named
    .map((text) => (/<([^<>]*)>$/.exec(text)?.[1] ?? text).trim().toLowerCase())
    .filter((address) => ADDRESS.test(address) && address !== message.inbox)
  if (addresses.length === 0)
    throw new AppError('upstream_rejected', 'The message has no sender to reply to.', {
      param: 'message_id',
      fix: 'Use inbox/send with the address of the recipient.',
    })
  return [...new Set(addresses)].slice(0, 10)
}

function requirePerson(message: MessageRow, to: readonly string[]): void {
  if (message.is_automatic)
    throw new AppError(
      'upstream_rejected',
      'A program wrote the message, and replies to programs can repeat for ever. Nothing was charged.',
      { param: 'message_id', fix: `To write to ${to[0]} nevertheless, use inbox/send.` },
    )
}

async function requireNoLoop(tx: Transaction, message: MessageRow, nowMs: number): Promise<void> {
  const { rows } = await tx.query<{ count: bigint }>(
    "select count(*) as count from inbox_messages where inbox = $1 and thread_id = $2 and status <> 'received' and id >= $3",
    [message.inbox, message.thread_id, firstIdAt(nowMs - HOUR_MS)],
  )
  if ((rows[0]?.count ?? 0n) >= BigInt(REPLIES_PER_HOUR))
    throw new AppError(
      'rate_limited',
      `This conversation has ${REPLIES_PER_HOUR} sent messages within an hour. Nothing was charged.`,
      { fix: 'Check that two programs do not answer each other.', retryAfterSeconds: 600 },
    )
}
