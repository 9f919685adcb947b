import { isIP } from 'node:net'

/**
 * Whether the host of a URL is this machine, so that no attacker on a network can read or forge the
 * traffic. Names below "localhost" do not count, because only browsers resolve them locally.
 */
export function isThisMachine(hostname: string): boolean {
  return (
    hostname.toLowerCase() === 'localhost' ||
    hostname === '[::1]' ||
    (isIP(hostname) === 4 && hostname.startsWith('127.'))
  )
}
