import { networkInterfaces } from 'node:os'
import { isInside, isPublicAddress, parseAddress, parseNetwork } from '../lib/public-address.ts'

/** `opened`: not public, but in a network that the operator allowed. */
export type AddressClass = 'public' | 'opened' | 'refused'
export type AddressRule = { readonly opensAny: boolean; classify(address: string): AddressClass }

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
