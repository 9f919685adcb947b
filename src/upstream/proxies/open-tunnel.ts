import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIPv6, type Socket } from 'node:net'
import { AppError } from '../../errors/app-error.ts'

const CONNECT_TIMEOUT_MS = 15_000

/**
 * Opens a connection to an address through an HTTP proxy that the operator set, by CONNECT. Rejects
 * with the system's error, or AppError upstream_error if the proxy refuses.
 */
export function openTunnel(
  proxyUrl: string,
  { address, port }: { readonly address: string; readonly port: number },
  signal: AbortSignal,
): Promise<Socket> {
  const proxy = new URL(proxyUrl)
  const authority = `${isIPv6(address) ? `[${address}]` : address}:${port}`
  const send = proxy.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const request = send({
      host: proxy.hostname.replace(/^\[|\]$/g, ''),
      port: proxy.port === '' ? undefined : Number(proxy.port),
      method: 'CONNECT',
      path: authority,
      agent: false,
      signal: AbortSignal.any([signal, AbortSignal.timeout(CONNECT_TIMEOUT_MS)]),
      headers: { host: authority, ...authorizationOf(proxy) },
    })
    request.once('error', reject)
    request.once('response', (response) => {
      response.destroy()
      reject(refused(response.statusCode))
    })
    request.once('connect', (response, socket: Socket, head: Buffer) => {
      if (response.statusCode === 200) {
        if (head.length > 0) socket.unshift(head)
        resolve(socket)
      } else {
        socket.destroy()
        reject(refused(response.statusCode))
      }
    })
    request.end()
  })
}

function authorizationOf({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {}
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` }
}

/** Without the proxy's address, which belongs to the operator. */
function refused(status: number | undefined): AppError {
  return new AppError(
    'upstream_error',
    `The proxy of this gateway refused the connection with status ${status ?? 'unknown'}.`,
  )
}
