import { isIP } from 'node:net'
import { isThisMachine } from '../lib/machine/this-machine.ts'

/** The domain of this gateway's passkeys, and the origin of the pages that use them. */
export type PasskeySite = { readonly rpId: string; readonly origin: string }

/** The addresses of "localhost". Another program may serve further addresses of this machine. */
const LOCALHOST_ADDRESSES = ['127.0.0.1', '[::1]']

/**
 * The site of a public URL. Null if it cannot use passkeys: browsers bind them to a domain, not to
 * an IP address, and use them only over https or on this machine
 * (https://www.w3.org/TR/webauthn-3/#rp-id).
 */
export function readPasskeySite(publicUrl: string): PasskeySite | null {
  const url = new URL(publicUrl)
  if (LOCALHOST_ADDRESSES.includes(url.hostname)) url.hostname = 'localhost'
  const { hostname, protocol, origin } = url
  const isName = isIP(hostname) === 0 && !hostname.startsWith('[')
  // Browsers resolve every name below "localhost" to this machine.
  const isOwnMachine = isThisMachine(hostname) || hostname.endsWith('.localhost')
  return isName && (protocol === 'https:' || isOwnMachine) ? { rpId: hostname, origin } : null
}
