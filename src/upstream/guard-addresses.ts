import { networkInterfaces } from 'node:os'
import { isInside, isPublicAddress, parseAddress, parseNetwork } from '../lib/public-address.ts'

/** `opened` = not public, but inside a network that the operator opened by name. */
export type AddressClass = 'public' | 'opened' | 'refused'
export type AddressRule = { readonly opensAny: boolean; classify(address: string): AddressClass }

const OWN_ADDRESSES_MS = 2_000

/**
 * The rule that decides which addresses may be connected to. `ownAddresses` are those of this machine: what listens there
 * behind a firewall is not public, whatever the number. Throws RangeError for a text that is not a CIDR block.
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

/** The addresses of the interfaces as they are now, read every two seconds at most: an address can be added while the gateway runs. */
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
