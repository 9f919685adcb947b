import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import proxyAddress from '@fastify/proxy-addr'
import { removeForwardedPorts } from './forwarded-addresses.ts'

/** The part of a request with its client address. */
export type AddressedRequest = {
  readonly headers: IncomingHttpHeaders
  readonly socket: Pick<Socket, 'remoteAddress'>
}

/** Creates the function for the address of a client, which trusted proxies name in X-Forwarded-For. */
export function createClientAddress(
  trustedProxies: readonly string[],
): (request: AddressedRequest) => string {
  if (trustedProxies.length === 0) return ({ socket }) => socket.remoteAddress ?? ''
  const isTrusted = proxyAddress.compile([...trustedProxies])
  return (request) => {
    removeForwardedPorts(request)
    return proxyAddress(request as IncomingMessage, isTrusted)
  }
}
