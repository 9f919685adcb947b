import dgram from 'node:dgram'
import dns from 'node:dns'
import net from 'node:net'
import tls from 'node:tls'

/**
 * Makes every connection of this process fail. Node's permission model does not cover the network
 * in version 24. Call before the parsers are loaded.
 */
export function denyNetwork(): void {
  const deny = (): never => {
    throw new NetworkDenied('This process has no network.')
  }
  Object.assign(net, { connect: deny, createConnection: deny, createServer: deny })
  Object.assign(net.Socket.prototype, { connect: deny })
  Object.assign(net.Server.prototype, { listen: deny })
  Object.assign(tls, { connect: deny })
  Object.assign(dgram, { createSocket: deny })
  Object.assign(dns, { lookup: deny, resolve: deny })
  for (const name of ['fetch', 'WebSocket', 'EventSource'])
    Object.defineProperty(globalThis, name, { value: deny, writable: false })
}

class NetworkDenied extends Error {
  override readonly name = 'NetworkDenied'
}
