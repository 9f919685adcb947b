import ipaddr from 'ipaddr.js'

/** The smallest IPv6 prefix of a household or company: https://www.rfc-editor.org/rfc/rfc6177 */
const V6_BYTES = 8

/** Some proxies add the visitor's port, which changes with each connection. */
const WITH_PORT = /^(?:\[(?<v6>[^\]]+)\]|(?<v4>[\d.]+)):\d+$/

/**
 * The network by which attempts are counted: an IPv4 address, or the /64 of an IPv6 address,
 * because its holder can use a new address for each attempt. All invalid addresses are one network.
 */
export function networkOf(text: string): string {
  const { v6, v4 } = WITH_PORT.exec(text)?.groups ?? {}
  const address = v6 ?? v4 ?? text
  if (!ipaddr.isValid(address)) return 'unknown'
  const parsed = ipaddr.process(address)
  return parsed.kind() === 'ipv4'
    ? parsed.toString()
    : Buffer.from(parsed.toByteArray().slice(0, V6_BYTES)).toString('hex')
}
