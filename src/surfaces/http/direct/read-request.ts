import type { IncomingHttpHeaders } from 'node:http'
import { fieldValue } from '../../../lib/http-fields.ts'

export type RequestHead = {
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly headBytes: number
  readonly bodyBytes: number
}

// Far below the limit of Node's HTTP server.
const MAX_HEAD_BYTES = 8 * 1024
const MAX_FIELDS = 100
const METHOD = 'POST '
const VERSION = ' HTTP/1.1'
const ADDRESS = /^[\x21-\x7e]+$/
// Complete lines. A value may have any byte except control characters.
const FIELDS = /^(?:[!#$%&'*+.^_`|~0-9A-Za-z-]+:[\t\x20-\x7e\x80-\xff]*\r\n)+$/
const LENGTH = /^\d{1,8}$/
// Fields that change the framing, ask for more than a response, or get special treatment in Node's HTTP server.
const SPECIAL = [
  'transfer-encoding',
  'expect',
  'upgrade',
  'trailer',
  'te',
  'proxy-connection',
  'set-cookie',
  '__proto__',
]

/**
 * Reads the head of a POST to a path with one of these prefixes. Returns null for an incomplete or
 * unusual head, which Node's HTTP server then parses or rejects.
 */
export function readRequestHead(bytes: Buffer, addresses: readonly string[]): RequestHead | null {
  const headEnd = bytes.indexOf('\r\n\r\n', 0, 'latin1')
  if (headEnd === -1 || headEnd > MAX_HEAD_BYTES) return null
  const head = bytes.toString('latin1', 0, headEnd + 2)
  const lineEnd = head.indexOf('\r\n')
  const urlEnd = lineEnd - VERSION.length
  if (!head.startsWith(METHOD) || !head.startsWith(VERSION, urlEnd)) return null
  const url = head.slice(METHOD.length, urlEnd)
  if (!addresses.some((address) => url.startsWith(address)) || !ADDRESS.test(url)) return null
  const headers = readFields(head, lineEnd + 2)
  if (headers === null) return null
  const length = headers['content-length']
  if (
    length === undefined ||
    !LENGTH.test(length) ||
    headers.host === undefined ||
    !staysOpen(headers.connection)
  )
    return null
  return { url, headers, headBytes: headEnd + 4, bodyBytes: Number(length) }
}

/** Null for too many fields, a repeated name or a special field. */
function readFields(head: string, start: number): IncomingHttpHeaders | null {
  if (!FIELDS.test(head.slice(start))) return null
  const headers: Record<string, string> = {}
  let count = 0
  for (let at = start; at < head.length;) {
    count += 1
    if (count > MAX_FIELDS) return null
    const colon = head.indexOf(':', at)
    const end = head.indexOf('\r\n', colon)
    const name = head.slice(at, colon).toLowerCase()
    if (Object.hasOwn(headers, name) || SPECIAL.includes(name)) return null
    headers[name] = fieldValue(head, colon + 1, end)
    at = end + 2
  }
  return headers
}

function staysOpen(connection: string | undefined): boolean {
  return connection === undefined || connection.toLowerCase() === 'keep-alive'
}
