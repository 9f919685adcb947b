import { AppError } from '../../errors/app-error.ts'
import { FIELD_NAME, NOT_IN_A_VALUE } from '../../lib/http-fields.ts'

/** A request with a complete body. Names match undici's, so that its dispatchers accept it. */
export type PlainRequest = {
  /** Scheme, host and port. */
  readonly origin: string
  readonly path: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  /** The longest silence within the response, in milliseconds; 0 or undefined is unlimited. */
  readonly bodyTimeout?: number
  /** 0: the wait for the response's head is unlimited. No other value is supported. */
  readonly headersTimeout?: 0
  /** Called when the connection is open. The request is sent only if it resolves. */
  readonly beforeBytes?: () => Promise<unknown>
}

const METHOD = /^[A-Z]{3,10}$/
const PATH = /^\/[\x21-\x7e]*$/
/** Headers for framing and routing, which only this file sets. */
const RESERVED = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'keep-alive',
  'upgrade',
  'expect',
  'te',
  'trailer',
])

/**
 * The request's head, one character per byte, including the empty line. Throws AppError
 * `upstream_error` for a request that would arrive changed, for example with a line end in a
 * header.
 */
export function requestHead(
  { method, path, headers, body }: PlainRequest,
  host: string,
  bodyBytes: number,
): string {
  if (!METHOD.test(method) || !PATH.test(path))
    throw unsendable('its method or path has characters that no request line can carry')
  let head = `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: keep-alive\r\n`
  for (const name in headers) {
    const value = headers[name] as string
    if (!FIELD_NAME.test(name) || RESERVED.has(name.toLowerCase()) || NOT_IN_A_VALUE.test(value))
      throw unsendable(`the header "${name}" cannot be sent`)
    head += `${name}: ${value}\r\n`
  }
  // Without this header, a server may compress, which costs time on both sides.
  if (headers['accept-encoding'] === undefined) head += 'accept-encoding: identity\r\n'
  if (body !== null || method === 'POST' || method === 'PUT' || method === 'PATCH')
    head += `content-length: ${bodyBytes}\r\n`
  return `${head}\r\n`
}

function unsendable(reason: string): AppError {
  return new AppError(
    'upstream_error',
    `The request to the vendor could not be sent: ${reason}. Nothing was charged.`,
  )
}
