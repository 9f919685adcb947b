import PostalMime, { decodeWords, type Address, type Attachment, type Email } from 'postal-mime'
import { repairEncodedWords, type Repair } from '../../../reader/document/encoded-words.ts'
import { emailMarkdown } from '../../../reader/markdown/email-markdown.ts'
import { toFileName, toLine } from '../../../lib/escapes.ts'
import { isAutomaticMessage } from './automatic-sender.ts'
import type {
  DeliveryReport,
  ParseAnswer,
  ParsedAttachment,
  ParsedMessage,
} from './parsed-message.ts'

const MAX_NESTING = 20
const MAX_HEADER_BYTES = 512 * 1024
const MAX_ATTACHMENTS = 50
const MAX_ADDRESSES = 100
const MAX_ADDRESS_CHARACTERS = 998
const MAX_REFERENCES = 50
const MAX_SUBJECT_CHARACTERS = 2_000
const MAX_TEXT_CHARACTERS = 500_000
const MAX_FAILURES = 50

/** Parses a message. A hostile one can need minutes, so this runs in a thread of its own. */
export async function parseMessage(raw: Uint8Array): Promise<ParseAnswer> {
  let email: Email
  try {
    email = await PostalMime.parse(raw, {
      maxNestingDepth: MAX_NESTING,
      maxHeadersSize: MAX_HEADER_BYTES,
      forceRfc822Attachments: true,
    })
  } catch (error) {
    return {
      kind: 'fault',
      fault: /maximum|exceed/i.test(String(error)) ? 'too_complex' : 'broken',
    }
  }
  if (email.attachments.length > MAX_ATTACHMENTS)
    return { kind: 'fault', fault: 'too_many_attachments' }
  return { kind: 'parsed', message: toMessage(email, repairEncodedWords(raw, decodeWords)) }
}

function toMessage(email: Email, repair: Repair): ParsedMessage {
  const report = readReport(email)
  return {
    messageId: toMessageId(email.messageId),
    inReplyTo: toMessageId(email.inReplyTo),
    references: messageIdsIn(email.references).slice(-MAX_REFERENCES),
    from: mailboxes([email.from], repair)[0] ?? '',
    to: mailboxes(email.to ?? [], repair),
    cc: mailboxes(email.cc ?? [], repair),
    replyTo: mailboxes(email.replyTo ?? [], repair),
    subject: cut(toLine(repair(email.subject ?? '')), MAX_SUBJECT_CHARACTERS),
    date: cut(headerOf(email, 'date'), 100),
    ...readBody(email),
    attachments: email.attachments.map((one) => toAttachment(one, repair)),
    receivedCount: countOf(email, 'received'),
    signatureCount: countOf(email, 'dkim-signature'),
    isAutomatic: report !== null || isAutomaticMessage(email.headers, answerTo(email)),
    report,
  }
}

/** Programs that read only text see an HTML-only message, too. */
function readBody({ text, html }: Email): Pick<ParsedMessage, 'text' | 'html'> {
  const markup = html === undefined ? null : cut(html, MAX_TEXT_CHARACTERS)
  const written = text === undefined ? null : cut(text, MAX_TEXT_CHARACTERS)
  return markup === null || /\S/.test(written ?? '')
    ? { text: written, html: markup }
    : { text: cut(emailMarkdown(markup), MAX_TEXT_CHARACTERS), html: markup }
}

/** PostgreSQL text has no zero bytes. */
function cut(text: string, most: number): string {
  return text.replaceAll('\0', '').slice(0, most).toWellFormed()
}

function headerOf(email: Email, name: string): string {
  return email.headers.find(({ key }) => key === name)?.value ?? ''
}

function countOf(email: Email, name: string): number {
  return email.headers.filter(({ key }) => key === name).length
}

/** The addresses that a reply goes to. */
function answerTo({ replyTo = [], from }: Email): string[] {
  const named = replyTo.length > 0 ? replyTo : from === undefined ? [] : [from]
  return named.flatMap((one) => one.group ?? [one]).map(({ address }) => address ?? '')
}

const MESSAGE_ID = /<[^<>\s]{1,900}>/g

function messageIdsIn(text = ''): string[] {
  return [...text.slice(0, 50_000).matchAll(MESSAGE_ID)].map(([id]) => cut(id, 998))
}

function toMessageId(text: string | undefined): string | null {
  return messageIdsIn(text)[0] ?? null
}

function mailboxes(list: readonly (Address | undefined)[], repair: Repair): string[] {
  return list
    .flatMap((one) => one?.group ?? (one === undefined ? [] : [one]))
    .map(({ name, address }) =>
      cut(
        toLine(name === '' || name === address ? address : `${repair(name)} <${address}>`).trim(),
        MAX_ADDRESS_CHARACTERS,
      ),
    )
    .filter((text) => text !== '')
    .slice(0, MAX_ADDRESSES)
}

function toAttachment(attachment: Attachment, repair: Repair): ParsedAttachment {
  const { filename, mimeType, disposition, contentId } = attachment
  return {
    filename: cut(toFileName(repair(filename ?? '')), 200) || nameFor(mimeType),
    contentType: /^[\w.+-]{1,60}\/[\w.+-]{1,66}$/.test(mimeType)
      ? mimeType
      : 'application/octet-stream',
    disposition: disposition === null ? null : cut(disposition, 50),
    contentId: contentId === undefined ? null : cut(contentId.replaceAll(/[<>]/g, ''), 500),
    content: bytesOf(attachment),
  }
}

function nameFor(mimeType: string): string {
  return mimeType === 'message/rfc822' ? 'message.eml' : 'attachment'
}

function bytesOf({ content }: Attachment): Uint8Array {
  return typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content)
}

function readReport(email: Email): DeliveryReport | null {
  const status = email.attachments.find(({ mimeType }) => mimeType === 'message/delivery-status')
  if (status === undefined) return null
  const blocks = textOf(status).split(/\n\s*\n/)
  const original = email.attachments.find(
    ({ mimeType }) => mimeType === 'message/rfc822' || mimeType === 'text/rfc822-headers',
  )
  return {
    messageId: original === undefined ? null : toMessageId(fieldOf(textOf(original), 'Message-ID')),
    failures: blocks
      .filter((block) => /^failed\b/i.test(fieldOf(block, 'Action')))
      .slice(0, MAX_FAILURES)
      .map((block) => ({
        recipient: cut(fieldOf(block, 'Final-Recipient').replace(/^[^;]*;\s*/, ''), 320),
        status: cut(fieldOf(block, 'Status'), 20),
        reason: cut(fieldOf(block, 'Diagnostic-Code').replace(/^[^;]*;\s*/, ''), 500),
      })),
  }
}

const REPORT_BYTES = 64 * 1024

function textOf(attachment: Attachment): string {
  return Buffer.from(bytesOf(attachment).subarray(0, REPORT_BYTES))
    .toString()
    .replaceAll('\r\n', '\n')
}

/** The value of a header field, without its line breaks; empty if absent. */
function fieldOf(block: string, name: string): string {
  const found = new RegExp(`^${name}:[ \\t]*(.*(?:\\n[ \\t]+.*)*)`, 'im').exec(block)
  return (found?.[1] ?? '').replaceAll(/\s+/g, ' ').trim()
}
