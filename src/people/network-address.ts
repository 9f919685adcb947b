import ipaddr from 'ipaddr.js'

/** What one household or company has at least of IPv6: https://www.rfc-editor.org/rfc/rfc6177 */
const V6_BYTES = 8

/**
 * Whose address it is, as far as attempts are counted: an IPv4 address, or the /64 of an IPv6 address, within which
 * anybody may take a new one for each attempt. All that is no address is one.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown'
  const parsed = ipaddr.process(address)
  return parsed.kind() === 'ipv4' ? parsed.toString() : Buffer.from(parsed.toByteArray().slice(0, V6_BYTES)).toString('hex')
}
