import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Network = [Address, number]

/** `opened` = not public, but inside a network that the operator opened by name. */
export type AddressClass = 'public' | 'opened' | 'refused'
export type AddressRule = { readonly opensAny: boolean; classify(address: string): AddressClass }

const GLOBAL_UNICAST_V6 = ipaddr.IPv6.parseCIDR('2000::/3')
/** RFC 6052: what DNS64 resolvers put in front of a public IPv4 address. */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96')

/** The rule that decides which addresses may be connected to. Throws RangeError for a text that is not a CIDR block. */
export function createAddressRule(openedNetworks: readonly string[]): AddressRule {
  const networks = openedNetworks.map(parseNetwork)
  return {
    opensAny: networks.length > 0,
    classify(text) {
      if (!ipaddr.isValid(text)) return 'refused'
      const address = unmap(ipaddr.parse(text))
      if (networks.some((network) => isInside(address, network))) return 'opened'
      return isPublic(address) ? 'public' : 'refused'
    },
  }
}

/** 6to4 and Teredo count as not public whatever they carry: their relays are gone, and what they carry may be private. */
function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false
  // ipaddr.js calls ::7f00:1 (IPv4-compatible, deprecated) unicast; only 2000::/3 was ever given out.
  return address instanceof ipaddr.IPv4 || address.match(GLOBAL_UNICAST_V6)
}

/** The IPv4 address inside a mapped or NAT64 address, since that is where the packets end up. */
function unmap(address: Address): Address {
  if (address instanceof ipaddr.IPv4) return address
  if (address.isIPv4MappedAddress()) return address.toIPv4Address()
  return address.match(NAT64) ? new ipaddr.IPv4(address.toByteArray().slice(12)) : address
}

function isInside(address: Address, [base, bits]: Network): boolean {
  if (address instanceof ipaddr.IPv4) return base instanceof ipaddr.IPv4 && address.match(base, bits)
  return base instanceof ipaddr.IPv6 && address.match(base, bits)
}

function parseNetwork(text: string): Network {
  const cidr = text.trim()
  if (!ipaddr.isValidCIDR(cidr)) throw new RangeError(`"${text}" is not a network such as 127.0.0.0/8`)
  return ipaddr.parseCIDR(cidr)
}
