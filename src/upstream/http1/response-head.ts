import { AppError } from '../../errors/app-error.ts'
import { FIELD_NAME, fieldValue } from '../../lib/http-fields.ts'

/**
 * Status, headers and body length of a response: a number of bytes, chunked, or until the
 * connection closes.
 */
export type ResponseHead = {
  readonly status: number
  /** Lower-case names. A repeated header has all its values. */
  readonly headers: Record<string, string | string[]>
  readonly body: number | 'chunked' | 'until close'
  /** Whether the connection can carry another request. */
  readonly keepsAlive: boolean
  /** How long the server keeps an idle connection, in milliseconds. */
  readonly keepAliveMs: number | undefined
}

const STATUS_LINE = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: |$)/
// Stray line ends allow response splitting: only some parsers see them.
const STRAY_CONTROL = /\r(?!\n)|(?<!\r)\n|[^\t\r\n\x20-\x7e\x80-\xff]/
const DIGITS = /^\d{1,15}$/
const KEEP_ALIVE_TIMEOUT = /timeout=(\d{1,6})/i

/**
 * Parses the head without its empty last line, one character per byte. Throws AppError
 * `upstream_error` unless the end of the response is unambiguous (RFC 9112, section 6.3).
 */
export function readResponseHead(text: string, isHeadRequest: boolean): ResponseHead {
  if (STRAY_CONTROL.test(text)) throw unreadableResponse('its head has control characters')
  const firstEnd = text.indexOf('\r\n')
  const statusLine = STATUS_LINE.exec(firstEnd === -1 ? text : text.slice(0, firstEnd))
  if (statusLine === null) throw unreadableResponse('it does not begin with a status line')
  const status = Number(statusLine[2])
  const headers = firstEnd === -1 ? {} : readFields(text, firstEnd + 2)
  const body = bodyOf(status, headers, isHeadRequest)
  const options = String(headers['connection'] ?? '').toLowerCase()
  // A response without a body may send the one that it declares.
  const isAmbiguous =
    status === 204 &&
    (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0)
  const stays = statusLine[1] === '1' ? !options.includes('close') : options.includes('keep-alive')
  return {
    status,
    headers,
    body,
    keepsAlive: stays && !isAmbiguous && body !== 'until close',
    keepAliveMs: keepAliveOf(headers['keep-alive']),
  }
}

export function unreadableResponse(reason: string): AppError {
  return new AppError(
    'upstream_error',
    `The vendor's response could not be read: ${reason}. Nothing was charged.`,
  )
}

function readFields(text: string, from: number): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {}
  for (let at = from; at < text.length;) {
    const next = text.indexOf('\r\n', at)
    const end = next === -1 ? text.length : next
    const colon = text.indexOf(':', at)
    const name = text.slice(at, colon === -1 || colon > end ? end : colon)
    if (colon === -1 || colon > end || !FIELD_NAME.test(name))
      throw unreadableResponse('a line of its head is not a header')
    add(headers, name.toLowerCase(), fieldValue(text, colon + 1, end))
    at = end + 2
  }
  return headers
}

function add(headers: Record<string, string | string[]>, name: string, value: string): void {
  // Assigning this name would not create a property.
  if (name === '__proto__') return
  const before = Object.hasOwn(headers, name) ? headers[name] : undefined
  if (before === undefined) headers[name] = value
  else if (Array.isArray(before)) before.push(value)
  else headers[name] = [before, value]
}

function bodyOf(
  status: number,
  headers: Record<string, string | string[]>,
  isHeadRequest: boolean,
): ResponseHead['body'] {
  const { 'transfer-encoding': coding, 'content-length': length } = headers
  if (coding !== undefined && length !== undefined)
    throw unreadableResponse('it declares two lengths')
  if (length !== undefined && (typeof length !== 'string' || !DIGITS.test(length)))
    throw unreadableResponse('its content-length is not a number')
  if (coding !== undefined && String(coding).toLowerCase() !== 'chunked')
    throw unreadableResponse('it has a transfer coding other than chunked')
  if (isHeadRequest || status < 200 || status === 204 || status === 304) return 0
  if (coding !== undefined) return 'chunked'
  return length === undefined ? 'until close' : Number(length)
}

function keepAliveOf(header: string | string[] | undefined): number | undefined {
  const seconds = typeof header === 'string' ? KEEP_ALIVE_TIMEOUT.exec(header)?.[1] : undefined
  return seconds === undefined ? undefined : Number(seconds) * 1000
}
