import { isRecent, type Clock } from '../../lib/clock.ts'
import { networkOf } from '../../lib/fairness/network-address.ts'
import { isInside, parseAddress, parseNetwork } from '../../lib/public-address.ts'
import { RecentMap } from '../../lib/recent-map.ts'

/** Limits of sending networks and senders, so that a single one cannot occupy the server. */
export type SenderLimits = {
  /** Counts a new connection. False if the network has too many open ones, or sent too much. */
  open(address: string): boolean
  close(address: string): void
  /** Counts work of a connection: 1 for a message. False above the limit. */
  spend(address: string, points: number): boolean
  /** Counts a hostile message of an envelope sender. */
  blame(address: string, sender: string): void
  /** False for an envelope sender with too many hostile messages from this network. */
  mayStart(address: string, sender: string): boolean
}

export const MOST_OPEN = 10
/** Connections and messages per minute of a network. */
export const POINTS_PER_MINUTE = 120
/** Hostile messages per minute of a network and one domain of envelope senders. */
export const HOSTILE_PER_SENDER = 2
/** Of all senders of a network: a forwarder passes on messages of many. */
export const HOSTILE_PER_NETWORK = 20
/** For loopback and the operator's networks, where programs and forwarders of the operator send. */
export const OWN_NETWORK_FACTOR = 10
const LOOPBACK = ['127.0.0.0/8', '::1/128']
const MINUTE_MS = 60_000
/** Entries of each map. */
const ENTRIES = 20_000
const LONGEST_DOMAIN = 255

/** `ownNetworks` are CIDR blocks of the operator. */
export function createSenderLimits(now: Clock, ownNetworks: readonly string[] = []): SenderLimits {
  const own = [...LOOPBACK, ...ownNetworks].map(parseNetwork)
  const opened = new Map<string, number>()
  const uses = createCounts(now)
  const hostileNetworks = createCounts(now)
  const hostileSenders = createCounts(now)

  function factorOf(text: string): number {
    const address = parseAddress(text)
    const isOwn = address !== undefined && own.some((network) => isInside(address, network))
    return isOwn ? OWN_NETWORK_FACTOR : 1
  }

  function spend(address: string, points: number): boolean {
    const network = networkOf(address)
    const factor = factorOf(address)
    return (
      uses.add(network, points) <= POINTS_PER_MINUTE * factor &&
      hostileNetworks.add(network, 0) < HOSTILE_PER_NETWORK * factor
    )
  }

  return {
    open(address) {
      const network = networkOf(address)
      const count = opened.get(network) ?? 0
      // Counted also when it is rejected: `close` follows every connection.
      opened.set(network, count + 1)
      return spend(address, 1) && count < MOST_OPEN
    },
    close(address) {
      const network = networkOf(address)
      const count = opened.get(network) ?? 0
      if (count <= 1) opened.delete(network)
      else opened.set(network, count - 1)
    },
    spend,
    blame(address, sender) {
      const network = networkOf(address)
      hostileNetworks.add(network, 1)
      hostileSenders.add(`${network} ${domainOf(sender)}`, 1)
    },
    mayStart: (address, sender) =>
      hostileSenders.add(`${networkOf(address)} ${domainOf(sender)}`, 0) <
      HOSTILE_PER_SENDER * factorOf(address),
  }
}

type Counts = {
  /** Returns the sum of the current minute. */
  add(key: string, points: number): number
}

function createCounts(now: Clock): Counts {
  const counts = new RecentMap<string, { readonly startMs: number; points: number }>(ENTRIES)
  return {
    add(key, points) {
      const nowMs = now()
      const known = counts.get(key)
      if (known !== undefined && isRecent(known.startMs, MINUTE_MS, nowMs))
        return (known.points += points)
      if (points > 0) counts.set(key, { startMs: nowMs, points })
      return points
    },
  }
}

/** The Sender Rewriting Scheme of forwarders (libsrs2.net/srs/srs.pdf): SRS0=hash=day=domain=local. */
const REWRITTEN = /^srs(?:0[=+-]|1[=+-][^=]*=[^@]*==)[^=]*=[^=]*=([^=@]+)=/i

/** The domain of an envelope sender, before a forwarder rewrote it. Empty for the empty sender. */
function domainOf(sender: string): string {
  const domain = REWRITTEN.exec(sender)?.[1] ?? sender.slice(sender.lastIndexOf('@') + 1)
  return domain.toLowerCase().replace(/\.$/, '').slice(0, LONGEST_DOMAIN)
}
