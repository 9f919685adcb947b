import { isRecent, type Clock } from '../../lib/clock.ts'
import { networkOf } from '../../lib/fairness/network-address.ts'
import { RecentMap } from '../../lib/recent-map.ts'

/** Limits of one sending address, so that a single one cannot occupy the server. */
export type SenderLimits = {
  /** Counts a new connection. False if the address has too many open ones or sent too much. */
  open(address: string): boolean
  close(address: string): void
  /** Counts work of a connection: 1 for a message, more for a hostile one. False above the limit. */
  spend(address: string, points: number): boolean
}

export const MOST_OPEN = 10
/** Connections and messages per minute. */
export const POINTS_PER_MINUTE = 120
const MINUTE_MS = 60_000
const ADDRESSES = 20_000

type Use = { startMs: number; points: number }

export function createSenderLimits(now: Clock): SenderLimits {
  const opened = new Map<string, number>()
  const uses = new RecentMap<string, Use>(ADDRESSES)

  function spend(network: string, points: number): boolean {
    const nowMs = now()
    let use = uses.get(network)
    if (use === undefined || !isRecent(use.startMs, MINUTE_MS, nowMs)) {
      use = { startMs: nowMs, points: 0 }
      uses.set(network, use)
    }
    use.points += points
    return use.points <= POINTS_PER_MINUTE
  }

  return {
    open(address) {
      const network = networkOf(address)
      const count = opened.get(network) ?? 0
      // Counted also when it is rejected: `close` follows every connection.
      opened.set(network, count + 1)
      return spend(network, 1) && count < MOST_OPEN
    },
    close(address) {
      const network = networkOf(address)
      const count = opened.get(network) ?? 0
      if (count <= 1) opened.delete(network)
      else opened.set(network, count - 1)
    },
    spend: (address, points) => spend(networkOf(address), points),
  }
}
