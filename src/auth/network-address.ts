import ipaddr from 'ipaddr.js'

/** What one household or company has at least of IPv6: https://www.rfc-editor.org/rfc/rfc6177 */
const V6_BYTES = 8

/** Some proxies tell the port of a visitor too, which is another one each time. */
const WITH_PORT = /^(?:\[(?<v6>[^\]]+)\]|(?<v4>[\d.]+)):\d+$/

/**
 * Whose address it is, as far as attempts are counted: an IPv4 address, or the /64 of an IPv6 address, within which
 * anybody may take a new one for each attempt. All that is no address is one.
 */
export function networkOf(told: string): string {
  const { v6, v4 } = WITH_PORT.exec(told)?.groups ?? {}
  const address = v6 ?? v4 ?? told
  if (!ipaddr.isValid(address)) return 'unknown'
  const parsed = ipaddr.process(address)
  return parsed.kind() === 'ipv4'
    ? parsed.toString()
    : Buffer.from(parsed.toByteArray().slice(0, V6_BYTES)).toString('hex')
}
