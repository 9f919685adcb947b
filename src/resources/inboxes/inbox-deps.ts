import type { Database } from '../../db/database.ts'
import type { Clock } from '../../lib/clock.ts'
import type { TargetRation } from '../../lib/fairness/target-ration.ts'
import type { FileDeps } from '../files/file-deps.ts'
import type { MessageParser } from './receiving/message-parser.ts'
import type { SenderChecker } from './receiving/sender-checker.ts'
import type { BounceAddresses } from './sending/bounce-addresses.ts'
import type { Compose } from './sending/compose.ts'
import type { Relay } from './sending/relay.ts'

export type InboxLimits = {
  readonly maxMessageBytes: number
  /** The most that the received messages of one inbox may use. */
  readonly maxInboxBytes: number
  /** Of all inboxes of one account. */
  readonly maxAccountBytes: number
  readonly retentionMs: number
  /** The most recipients that one account may send to within 24 hours. */
  readonly sendsPerDay: number
  readonly maxInboxes: number
}

/** Dependencies of this folder's functions. */
export type InboxDeps = {
  readonly database: Database
  readonly files: FileDeps
  readonly now: Clock
  /** In lower case. */
  readonly domain: string
  /** A domain without DNS: only programs of this machine can send to the inboxes. */
  readonly isLocal: boolean
  /** The name before the @ of the gateway's own sender at this domain; null for a sender elsewhere. */
  readonly ownName: string | null
  readonly limits: InboxLimits
  /** Reject messages that fail DMARC if the domain of their sender asks for it. */
  readonly rejectsForged: boolean
  readonly parser: MessageParser
  readonly senderChecker: SenderChecker
  readonly bounceAddresses: BounceAddresses
  /** Null on a gateway whose inboxes reach only each other. */
  readonly relay: Relay | null
  /** Of messages that the relay rejects, or may have sent without a charge, by domain. */
  readonly ration: TargetRation
  readonly compose: Compose
}

/** The service whose lasting references name the owners of inboxes. */
export const SERVICE = 'inbox'
