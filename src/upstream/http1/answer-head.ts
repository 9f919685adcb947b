import { AppError } from '../../errors/app-error.ts'
import { FIELD_NAME, fieldValue } from '../../lib/http-fields.ts'

/** The first part of an answer, and how long the rest is: so many bytes, chunks, or all until the connection closes. */
export type AnswerHead = {
  readonly status: number
  /** Names in lower case; a name that came more than once has all its values. */
  readonly headers: Record<string, string | string[]>
  readonly body: number | 'chunked' | 'until close'
  /** Whether another request may follow on the connection. */
  readonly keepsAlive: boolean
  /** How long the server says that it keeps the idle connection, in milliseconds. */
  readonly keptForMs: number | undefined
}

const STATUS_LINE = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: |$)/
// Line ends that only some readers see are how one answer is passed off as two.
const STRAY_CONTROL = /\r(?!\n)|(?<!\r)\n|[^\t\r\n\x20-\x7e\x80-\xff]/
const DIGITS = /^\d{1,15}$/
const KEPT_FOR = /timeout=(\d{1,6})/i

/**
 * `text` is the head without its empty last line, a character for each byte. Throws AppError upstream_error unless it
 * says beyond doubt where the answer ends (RFC 9112, section 6.3).
 */
export function readAnswerHead(text: string, isHeadRequest: boolean): AnswerHead {
  if (STRAY_CONTROL.test(text)) throw unreadableAnswer('its head has control characters')
  const firstEnd = text.indexOf('\r\n')
  const statusLine = STATUS_LINE.exec(firstEnd === -1 ? text : text.slice(0, firstEnd))
  if (statusLine === null) throw unreadableAnswer('it does not begin with a status line')
  const status = Number(statusLine[2])
  const headers = firstEnd === -1 ? {} : readFields(text, firstEnd + 2)
  const body = bodyOf(status, headers, isHeadRequest)
  const options = String(headers['connection'] ?? '').toLowerCase()
  // What has no body and announces one may send it all the same.
  const isAmbiguous =
    status === 204 &&
    (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0)
  const stays = statusLine[1] === '1' ? !options.includes('close') : options.includes('keep-alive')
  return {
    status,
    headers,
    body,
    keepsAlive: stays && !isAmbiguous && body !== 'until close',
    keptForMs: keptFor(headers['keep-alive']),
  }
}

export function unreadableAnswer(reason: string): AppError {
  return new AppError(
    'upstream_error',
    `The vendor's answer could not be read: ${reason}. Nothing was charged.`,
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
      throw unreadableAnswer('a line of its head is not a header')
    add(headers, name.toLowerCase(), fieldValue(text, colon + 1, end))
    at = end + 2
  }
  return headers
}

function add(headers: Record<string, string | string[]>, name: string, value: string): void {
  // An assignment to this name would not make a property.
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
): AnswerHead['body'] {
  const { 'transfer-encoding': coding, 'content-length': length } = headers
  if (coding !== undefined && length !== undefined)
    throw unreadableAnswer('it tells its length in two ways')
  if (length !== undefined && (typeof length !== 'string' || !DIGITS.test(length)))
    throw unreadableAnswer('its content-length is not a number')
  if (coding !== undefined && String(coding).toLowerCase() !== 'chunked')
    throw unreadableAnswer('it has a transfer coding other than chunked')
  if (isHeadRequest || status < 200 || status === 204 || status === 304) return 0
  if (coding !== undefined) return 'chunked'
  return length === undefined ? 'until close' : Number(length)
}

function keptFor(header: string | string[] | undefined): number | undefined {
  const seconds = typeof header === 'string' ? KEPT_FOR.exec(header)?.[1] : undefined
  return seconds === undefined ? undefined : Number(seconds) * 1000
}
