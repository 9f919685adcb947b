import { DAY_MS } from '../../../lib/clock.ts'
import { createTargetRation } from '../../../lib/fairness/target-ration.ts'
import type { FileDeps } from '../../../resources/files/file-deps.ts'
import { sharedSecret } from '../../../resources/files/shared-secret.ts'
import type { InboxDeps } from '../../../resources/inboxes/inbox-deps.ts'
import { createDnsResolver } from '../../../resources/inboxes/receiving/check-sender.ts'
import { createMessageParser } from '../../../resources/inboxes/receiving/message-parser.ts'
import {
  createSenderChecker,
  NO_SENDER_CHECKS,
} from '../../../resources/inboxes/receiving/sender-checker.ts'
import { createBounceAddresses } from '../../../resources/inboxes/sending/bounce-addresses.ts'
import { createCompose } from '../../../resources/inboxes/sending/compose.ts'
import { createRelay } from '../../../resources/inboxes/sending/relay.ts'
import type { Config } from '../../settings/config.ts'
import { isPartEnabled } from '../../settings/in-house-settings.ts'

/** Sent messages that are not charged, within an hour. */
const RATION = { ofAccount: 100, ofAccountToTarget: 20, toTarget: 400, what: 'messages' }
const MAX_INBOXES = 1_000
/** Received email may use half of the file storage of an account, so that senders cannot fill it. */
const RECEIVED_SHARE = 2

/** The inboxes of this gateway; null if they are off. */
export async function openInboxes(
  { inHouse, mail, people }: Pick<Config, 'inHouse' | 'mail' | 'people'>,
  files: FileDeps,
  isDefault: boolean,
): Promise<InboxDeps | null> {
  if (!isPartEnabled(inHouse, 'inboxes', isDefault)) return null
  const { database, now } = files
  const { domain, isLocal, maxMessageBytes, maxInboxBytes, sendsPerDay } = mail
  return {
    database,
    files,
    now,
    domain,
    isLocal,
    ownName: people.mail === null ? null : nameAt(domain, people.mail.from),
    limits: {
      maxMessageBytes,
      maxInboxBytes,
      maxAccountBytes: Math.floor(files.limits.maxAccountBytes / RECEIVED_SHARE),
      sendsPerDay,
      retentionMs: mail.retentionDays * DAY_MS,
      maxInboxes: MAX_INBOXES,
    },
    rejectsForged: mail.forged === 'reject',
    parser: createMessageParser(now),
    senderChecker: isLocal ? NO_SENDER_CHECKS : createSenderChecker(domain, createDnsResolver()),
    bounceAddresses: createBounceAddresses(
      await sharedSecret(database, 'bounce-addresses'),
      domain,
    ),
    // No server accepts messages from a local domain.
    relay: isLocal || people.mail === null ? null : createRelay(people.mail.smtpUrl),
    ration: createTargetRation({ ...RATION, now }),
    compose: createCompose(domain, mail.dkim, now),
  }
}

/** For the descriptions of the actions. */
export function localNote({ domain }: Pick<InboxDeps, 'domain'>): string {
  return `On this gateway, inboxes are addresses at ${domain}: they receive email only from its own machine, and send only to each other.`
}

/** The name before the @ of a sender such as "Tollgate <gate+login@example.com>", which has the inbox "gate"; null for another domain. */
export function nameAt(domain: string, sender: string): string | null {
  const address = (/<([^<>]*)>\s*$/.exec(sender)?.[1] ?? sender).trim().toLowerCase()
  const at = address.lastIndexOf('@')
  return address.slice(at + 1) === domain ? (address.slice(0, at).split('+')[0] ?? null) : null
}
