import { isIP } from 'node:net'

/**
 * Whether a host, as a URL names it, is this very machine: what is sent there comes by nobody who could listen, or answer in
 * its place. Names below "localhost" are not certain to be, unless the sender is a browser.
 */
export function isThisMachine(hostname: string): boolean {
  return (
    hostname.toLowerCase() === 'localhost' ||
    hostname === '[::1]' ||
    (isIP(hostname) === 4 && hostname.startsWith('127.'))
  )
}
