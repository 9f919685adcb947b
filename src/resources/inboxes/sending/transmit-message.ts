import { AppError } from '../../../errors/app-error.ts'
import type { Id } from '../../../lib/ids.ts'
import type { InboxDeps } from '../inbox-deps.ts'
import type { Authentication } from '../receiving/check-sender.ts'
import type { ParsedMessage } from '../receiving/parsed-message.ts'
import { deliverMessage, findRecipient } from '../receiving/receive-message.ts'
import { SmtpRefusal } from '../receiving/smtp-refusal.ts'
import type { AcceptedMessage } from '../receiving/store-message.ts'
import type { Draft } from './compose.ts'
import type { RejectedRecipient, RelayOutcome } from './relay.ts'

/** The gateway wrote the message, for the owner of its sender. */
const OWN: Authentication = {
  spf: 'pass',
  dkim: 'none',
  dmarc: 'pass',
  dmarc_policy: null,
  signed_by: [],
}

/**
 * Delivers a message to inboxes of this gateway directly, and to other recipients through the relay.
 * The relay comes first: if it rejects the message, no inbox receives it.
 */
export async function transmitMessage(
  deps: InboxDeps,
  draft: Draft,
  id: Id,
): Promise<RelayOutcome> {
  const raw = await deps.compose(draft)
  const { inside, outside } = splitRecipients(deps, draft.to)
  const text = inside.length === 0 ? null : await textOf(deps, draft, raw)
  const message = { ...toReceived(draft, new Date(deps.now())), text }
  const relayed = await relayMessage(deps, outside, { id, raw })
  if (relayed.kind === 'rejected') return relayed
  const refused: RejectedRecipient[] = []
  for (const recipient of inside) {
    const reason = await deliverTo(deps, recipient, { raw, message, authentication: OWN })
    if (reason !== null)
      refused.push({ recipient, status: String(reason.responseCode), reason: reason.message })
  }
  if (relayed.kind === 'unknown') return relayed
  const rejected = [...relayed.rejected, ...refused]
  return rejected.length < draft.to.length
    ? { kind: 'accepted', rejected }
    : {
        kind: 'rejected',
        reason: rejected.map(({ recipient, reason }) => `${recipient}: ${reason}.`).join(' '),
        isPermanent: rejected.some(({ status }) => status !== '451'),
      }
}

async function relayMessage(
  { relay, bounceAddresses }: InboxDeps,
  recipients: readonly string[],
  { id, raw }: { readonly id: Id; readonly raw: Buffer },
): Promise<RelayOutcome> {
  return relay === null || recipients.length === 0
    ? { kind: 'accepted', rejected: [] }
    : relay.send({ sender: bounceAddresses.addressOf(id), recipients, raw })
}

/** Null for a delivered message. */
async function deliverTo(
  deps: InboxDeps,
  address: string,
  accepted: AcceptedMessage,
): Promise<SmtpRefusal | null> {
  try {
    const recipient = await findRecipient(deps, address, accepted.raw.length)
    // Only delivery reports of other servers belong to the other kind.
    if (recipient.kind !== 'inbox') throw new SmtpRefusal(550, '5.1.1 There is no such mailbox')
    await deliverMessage(deps, recipient, accepted)
    return null
  } catch (error) {
    if (error instanceof SmtpRefusal) return error
    throw error
  }
}

/** The parser derives the text of HTML in a thread with limits. Null if a message exceeds them. */
async function textOf(
  { parser }: InboxDeps,
  { inbox, text }: Draft,
  raw: Buffer,
): Promise<string | null> {
  if (text !== undefined) return text
  const answer = await parser.parse(raw, inbox)
  return answer.kind === 'parsed' ? answer.message.text : null
}

function toReceived(draft: Draft, date: Date): Omit<ParsedMessage, 'text'> {
  const { inbox, displayName, messageId, to, subject, html, inReplyTo, references } = draft
  return {
    messageId,
    inReplyTo,
    references,
    from: displayName === null ? inbox : `${displayName} <${inbox}>`,
    to,
    cc: [],
    replyTo: [],
    subject,
    date: date.toUTCString(),
    html: html ?? null,
    attachments: [],
    receivedCount: 0,
    signatureCount: 0,
    isAutomatic: false,
    report: null,
  }
}

type Split = { readonly inside: readonly string[]; readonly outside: readonly string[] }

function splitRecipients({ domain }: Pick<InboxDeps, 'domain'>, to: readonly string[]): Split {
  const isInside = (address: string): boolean => domainOf(address) === domain
  return { inside: to.filter(isInside), outside: to.filter((address) => !isInside(address)) }
}

/** The domains of recipients elsewhere, once each. */
export function outsideDomains(
  deps: Pick<InboxDeps, 'domain'>,
  to: readonly string[],
): readonly string[] {
  return [...new Set(splitRecipients(deps, to).outside.map(domainOf))]
}

function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1).toLowerCase()
}

/**
 * Throws AppError invalid_params for a sender at a former domain, and without a relay for recipients
 * at other domains. `param` is the field that names the recipients.
 */
export function requireReachable(
  deps: Pick<InboxDeps, 'domain' | 'isLocal' | 'relay'>,
  { inbox, to }: Pick<Draft, 'inbox' | 'to'>,
  param: string,
): void {
  const { domain, isLocal, relay } = deps
  if (domainOf(inbox) !== domain)
    throw new AppError(
      'invalid_params',
      `The domain of this gateway is ${domain} now, so this inbox only stores its messages. Nothing was charged.`,
      { param: 'inbox_id', fix: `Create an inbox at ${domain} with inbox/create_inbox.` },
    )
  const [outside] = splitRecipients(deps, to).outside
  if (outside === undefined || relay !== null) return
  const settings = isLocal ? 'MAIL_DOMAIN, SMTP_URL and MAIL_FROM' : 'SMTP_URL and MAIL_FROM'
  throw new AppError(
    'invalid_params',
    `Inboxes of this gateway send only to addresses at ${domain}, not to ${outside}. Nothing was charged.`,
    {
      param,
      fix: `Send to an inbox at ${domain}. For other addresses, the operator of this gateway sets ${settings}.`,
    },
  )
}
