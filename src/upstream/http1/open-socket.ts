import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

/** Guard and TLS settings for opening connections. */
export type Opening = {
  /** Throws for an address that must not be reached; returns the function that resolves names. */
  readonly guard?: (hostname: string, port: number) => LookupFunction
  /** Certificate authorities that replace the system's. */
  readonly ca?: string
}

type Ends = Opening & {
  readonly read: (bytes: Buffer, length: number) => void
  readonly connected: () => void
}

// All sockets share this buffer: each read is consumed before the next one.
const RECEIVED = Buffer.allocUnsafeSlow(64 * 1024)

/**
 * Opens a socket to the origin, with TLS for https. Received bytes go to `read`, not through a
 * stream.
 */
export function openSocket(
  { protocol, hostname, port: portText }: URL,
  { guard, ca, read, connected }: Ends,
): Socket {
  const isSecure = protocol === 'https:'
  const host = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
  const port = portText === '' ? (isSecure ? 443 : 80) : Number(portText)
  const lookup = guard?.(host, port)
  const onread = {
    buffer: RECEIVED,
    callback: (length: number) => {
      read(RECEIVED, length)
      return true
    },
  }
  const place = { host, port, noDelay: true, onread, ...(lookup === undefined ? {} : { lookup }) }
  if (!isSecure) return connectTcp(place, connected)
  return connectTls(
    {
      ...place,
      ALPNProtocols: ['http/1.1'],
      ...(isIP(host) === 0 ? { servername: host } : {}),
      ...(ca === undefined ? {} : { ca }),
    },
    connected,
  )
}
