import { networkInterfaces } from 'node:os'
import { isInside, isPublicAddress, parseAddress, parseNetwork } from '../lib/public-address.ts'

/** `opened`: not public, but in a network that the operator allowed. */
export type AddressClass = 'public' | 'opened' | 'refused'
export type AddressRule = { readonly opensAny: boolean; classify(address: string): AddressClass }

/** Ports of other protocols, as browsers block them: https://fetch.spec.whatwg.org/#port-blocking */
export const BLOCKED_PORTS: ReadonlySet<number> = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102,
  103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465,
  512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993,
  995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668,
  6669, 6679, 6697, 10080,
])

const OWN_ADDRESSES_MS = 2_000

/**
 * Creates the rule for addresses that may be connected to. `ownAddresses` are this machine's:
 * services behind its firewall are not public, even on public addresses. Throws RangeError for an
 * invalid CIDR block.
 */
export function createAddressRule(
  openedNetworks: readonly string[],
  ownAddresses: () => readonly string[] = interfaceAddresses(),
): AddressRule {
  const networks = openedNetworks.map(parseNetwork)
  return {
    opensAny: networks.length > 0,
    classify(text) {
      const address = parseAddress(text)
      if (address === undefined) return 'refused'
      if (networks.some((network) => isInside(address, network))) return 'opened'
      return isPublicAddress(address) && !ownAddresses().includes(address.toNormalizedString())
        ? 'public'
        : 'refused'
    },
  }
}

/**
 * The current addresses of the interfaces, read at most every two seconds: addresses can be added
 * while the gateway runs.
 */
export function interfaceAddresses(
  read: typeof networkInterfaces = networkInterfaces,
  nowMs = () => performance.now(),
): () => readonly string[] {
  let known: readonly string[] = []
  let readAtMs = Number.NEGATIVE_INFINITY
  return () => {
    if (nowMs() - readAtMs >= OWN_ADDRESSES_MS) {
      known = Object.values(read()).flatMap((list = []) =>
        list.flatMap(({ address }) => parseAddress(address)?.toNormalizedString() ?? []),
      )
      readAtMs = nowMs()
    }
    return known
  }
}
