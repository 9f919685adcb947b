import { isIP } from 'node:net'
import { isThisMachine } from '../lib/this-machine.ts'

/** Where passkeys of this gateway belong: the name that they are bound to, and the one origin of pages that may ask for them. */
export type PasskeySite = { readonly rpId: string; readonly origin: string }

/** The addresses of this machine that "localhost" leads to; its further ones may be served by somebody else. */
const LOCALHOST_ADDRESSES = ['127.0.0.1', '[::1]']

/**
 * Browsers bind passkeys to a name, never to an IP address, and know them only on pages that came over https or from this
 * machine (https://www.w3.org/TR/webauthn-3/#rp-id). Null where the public address of the gateway allows none.
 */
export function passkeySite(publicUrl: string): PasskeySite | null {
  const url = new URL(publicUrl)
  if (LOCALHOST_ADDRESSES.includes(url.hostname)) url.hostname = 'localhost'
  const { hostname, protocol, origin } = url
  const isName = isIP(hostname) === 0 && !hostname.startsWith('[')
  // Browsers look no name below "localhost" up: all of them are this machine.
  const isOwnMachine = isThisMachine(hostname) || hostname.endsWith('.localhost')
  return isName && (protocol === 'https:' || isOwnMachine) ? { rpId: hostname, origin } : null
}
