import type { IncomingMessage } from 'node:http'
import proxyAddress from '@fastify/proxy-addr'
import { removeForwardedPorts } from './forwarded-addresses.ts'

/** Creates the function for the address of a client, which trusted proxies name in X-Forwarded-For. */
export function createClientAddress(
  trustedProxies: readonly string[],
): (request: IncomingMessage) => string {
  if (trustedProxies.length === 0) return ({ socket }) => socket.remoteAddress ?? ''
  const isTrusted = proxyAddress.compile([...trustedProxies])
  return (request) => {
    removeForwardedPorts(request)
    return proxyAddress(request, isTrusted)
  }
}
