import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'

const FIELD = 'x-forwarded-for'
const PARTS = /^"?\[?(?<address>[\da-f:.]+?)\]?(?::\d{1,5})?"?$/i

/**
 * Removes ports, brackets and quotes from the addresses of X-Forwarded-For, before `request.ip` is
 * read. Some proxies add the client's port
 * (learn.microsoft.com/azure/application-gateway/how-application-gateway-works).
 */
export function removeForwardedPorts({ headers }: { readonly headers: IncomingHttpHeaders }): void {
  const value = headers[FIELD]
  if (typeof value === 'string') headers[FIELD] = value.split(',').map(withoutPort).join(', ')
}

function withoutPort(entry: string): string {
  const text = entry.trim()
  if (isIP(text) !== 0) return text
  const address = PARTS.exec(text)?.groups?.['address'] ?? ''
  return isIP(address) === 0 ? text : address
}
