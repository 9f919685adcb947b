import ipaddr from 'ipaddr.js'

export type Address = ipaddr.IPv4 | ipaddr.IPv6
export type Network = [Address, number]

const GLOBAL_UNICAST_V6 = ipaddr.IPv6.parseCIDR('2000::/3')
/** The prefix that DNS64 resolvers add to a public IPv4 address (RFC 6052). */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96')

/** Public addresses that clouds answer for their own machines: metadata, name servers and internal APIs. Others are in private or link-local ranges. */
const CLOUD_INTERNAL: readonly Network[] = [
  '168.63.129.16/32', // Azure: WireServer, name server, health probes
  '161.26.0.0/16', // IBM: infrastructure services
  '166.8.0.0/14', // IBM: service endpoints
  '199.36.153.4/30', // Google: restricted.googleapis.com
  '199.36.153.8/30', // Google: private.googleapis.com
].map((network) => ipaddr.parseCIDR(network))

/** Whether the address is public. 6to4 and Teredo never count as public: their relays are gone, and the embedded address may be private. */
export function isPublicAddress(address: Address): boolean {
  if (address.range() !== 'unicast' || CLOUD_INTERNAL.some((network) => isInside(address, network)))
    return false
  // ipaddr.js reports ::7f00:1 (IPv4-compatible, deprecated) as unicast. Only 2000::/3 is allocated.
  return address instanceof ipaddr.IPv4 || address.match(GLOBAL_UNICAST_V6)
}

/** The address that packets reach: the IPv4 address inside a mapped or NAT64 address. Undefined when the text is not an address. */
export function parseAddress(text: string): Address | undefined {
  // The system adds a zone to addresses of its interfaces.
  const bare = text.replace(/%.*$/, '')
  return ipaddr.isValid(bare) ? unmap(ipaddr.parse(bare)) : undefined
}

export function isInside(address: Address, [base, bits]: Network): boolean {
  if (address instanceof ipaddr.IPv4)
    return base instanceof ipaddr.IPv4 && address.match(base, bits)
  return base instanceof ipaddr.IPv6 && address.match(base, bits)
}

/** Throws RangeError when the text is not a CIDR block. */
export function parseNetwork(text: string): Network {
  const cidr = text.trim()
  if (!ipaddr.isValidCIDR(cidr))
    throw new RangeError(`"${text}" is not a network such as 127.0.0.0/8`)
  return ipaddr.parseCIDR(cidr)
}

function unmap(address: Address): Address {
  if (address instanceof ipaddr.IPv4) return address
  if (address.isIPv4MappedAddress()) return address.toIPv4Address()
  return address.match(NAT64) ? new ipaddr.IPv4(address.toByteArray().slice(12)) : address
}
