import { AppError } from '../../../errors/app-error.ts'
import { networkOf } from '../../../lib/fairness/network-address.ts'
import { findInbox, type FoundInbox } from '../find-inbox.ts'
import type { InboxDeps } from '../inbox-deps.ts'
import { isAutomaticSender } from './automatic-sender.ts'
import type { Authentication, Delivery } from './check-sender.ts'
import type { DeliveryReport, ParseFault } from './parsed-message.ts'
import { recordBounce, recordReport } from './record-bounce.ts'
import { SmtpRefusal } from './smtp-refusal.ts'
import { storeMessage, type AcceptedMessage } from './store-message.ts'

/** A recipient that this gateway accepts messages for. */
export type Recipient =
  | { readonly kind: 'inbox'; readonly inbox: FoundInbox }
  /** The envelope sender of a sent message: its delivery reports go there. */
  | { readonly kind: 'bounce'; readonly messageId: string }

/** RFC 5321 suggests that a message with more has been forwarded in a circle. */
const MAX_RECEIVED_FIELDS = 50
/** A message with more is not authenticated: each needs a name lookup and a hash of the body. */
const MAX_SIGNATURES = 3
const UNCHECKED: Authentication = {
  spf: 'none',
  dkim: 'permerror',
  dmarc: 'permerror',
  dmarc_policy: null,
  signed_by: [],
}

const FAULTS: Readonly<Record<ParseFault, SmtpRefusal>> = {
  too_complex: new SmtpRefusal(554, '5.6.0 The message is too complex'),
  too_many_attachments: new SmtpRefusal(554, '5.6.0 The message has too many attachments'),
  broken: new SmtpRefusal(554, '5.6.0 The message cannot be parsed'),
  busy: new SmtpRefusal(451, '4.3.2 Too busy; try again later'),
}

const FORGED = new SmtpRefusal(
  550,
  '5.7.1 The message fails DMARC, and the domain of its sender rejects such messages',
)

function isForged({ dmarc, dmarc_policy: policy }: Authentication): boolean {
  return dmarc === 'fail' && policy === 'reject'
}

/**
 * Finds the recipient of an address. Throws SmtpRefusal: 550 for an address of another domain, so that
 * nothing is ever relayed, and for an unknown one; 452 for a full inbox; 451 while the database is away.
 */
export async function findRecipient(
  deps: Pick<InboxDeps, 'database' | 'domain' | 'limits' | 'bounceAddresses'>,
  address: string,
  announcedBytes: number,
): Promise<Recipient> {
  const { database, domain, limits, bounceAddresses } = deps
  if (address.slice(address.lastIndexOf('@') + 1).toLowerCase() !== domain)
    throw new SmtpRefusal(550, `5.7.1 This server accepts messages for ${domain} only`)
  const messageId = bounceAddresses.messageOf(address)
  if (messageId !== null) return { kind: 'bounce', messageId }
  const inbox = await orTryLater(() => findInbox(database, address))
  if (inbox === null) throw new SmtpRefusal(550, '5.1.1 There is no such mailbox')
  if (Number(inbox.stored_bytes) + announcedBytes > limits.maxInboxBytes)
    throw new SmtpRefusal(452, '4.2.2 The mailbox is full')
  if (Number(inbox.account_bytes) + announcedBytes > limits.maxAccountBytes)
    throw new SmtpRefusal(452, '4.2.2 The mailboxes of the account are full')
  return { kind: 'inbox', inbox }
}

/**
 * Checks and stores a message for its recipients. Returns after the commit. Throws SmtpRefusal; then
 * recipients that were stored recognize the repeated message.
 */
export async function receiveMessage(
  deps: InboxDeps,
  recipients: readonly Recipient[],
  raw: Buffer,
  delivery: Delivery,
): Promise<void> {
  const answer = await deps.parser.parse(raw, networkOf(delivery.ip))
  if (answer.kind === 'fault') throw FAULTS[answer.fault]
  const isAutomatic = answer.message.isAutomatic || isAutomaticSender(delivery.sender)
  const message = { ...answer.message, isAutomatic }
  if (message.receivedCount > MAX_RECEIVED_FIELDS)
    throw new SmtpRefusal(554, '5.4.6 The message was forwarded in a circle')
  const authentication =
    message.signatureCount > MAX_SIGNATURES
      ? UNCHECKED
      : await deps.senderChecker.check(raw, delivery)
  // A report to the sender of a message is believed for its address.
  const isForInbox = recipients.some(({ kind }) => kind === 'inbox')
  if (deps.rejectsForged && isForInbox && isForged(authentication)) throw FORGED
  const report = delivery.sender === '' ? message.report : null
  for (const recipient of recipients)
    await deliverMessage(deps, recipient, { raw, message, authentication }, report)
}

/** Stores a message for one recipient. Throws SmtpRefusal 452 for a full inbox, and 451 while the database or the file store is away. */
export function deliverMessage(
  deps: InboxDeps,
  recipient: Recipient,
  accepted: AcceptedMessage,
  report: DeliveryReport | null = null,
): Promise<void> {
  return orTryLater(() => deliver(deps, recipient, accepted, report))
}

async function deliver(
  deps: InboxDeps,
  recipient: Recipient,
  accepted: AcceptedMessage,
  report: DeliveryReport | null,
): Promise<void> {
  if (recipient.kind === 'bounce') {
    // Anything else sent to such an address is dropped.
    if (report !== null) await recordBounce(deps, recipient.messageId, report)
    return
  }
  if (report !== null) await recordReport(deps, recipient.inbox.address, report)
  await storeMessage(deps, recipient.inbox, accepted)
}

/** While the database or the file store is away, or storage is full, the sender tries again later. */
async function orTryLater<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof SmtpRefusal) throw error
    if (error instanceof AppError && error.code === 'storage_quota_exceeded')
      throw new SmtpRefusal(452, '4.2.2 The storage of the mailbox is full')
    throw new SmtpRefusal(451, '4.3.0 Try again later', error)
  }
}
