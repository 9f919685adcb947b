import { AppError } from '../../errors/app-error.ts'
import { FIELD_NAME, NOT_IN_A_VALUE } from '../../lib/http-fields.ts'

/** A request whose body is known whole. The names are undici's, so that its dispatchers take one as well. */
export type PlainRequest = {
  /** Scheme, host and port. */
  readonly origin: string
  readonly path: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  /** The longest silence between two parts of the answer, in milliseconds; 0 or none: as long as the caller waits. */
  readonly bodyTimeout?: number
  /** The longest wait for the answer's head. 0: as long as the caller waits, which is all that is known here. */
  readonly headersTimeout?: 0
  /** Called when the connection stands. The request goes out when it resolves, and not at all when it rejects. */
  readonly beforeBytes?: () => Promise<unknown>
}

const METHOD = /^[A-Z]{3,10}$/
const PATH = /^\/[\x21-\x7e]*$/
/** How the message is framed, and to whom it goes, is said here alone. */
const OURS = new Set([
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
 * The head of a request, a character for each byte, up to and with its empty line. Throws AppError upstream_error for
 * what would not arrive as it was meant: a line end in a header, for one.
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
    if (!FIELD_NAME.test(name) || OURS.has(name.toLowerCase()) || NOT_IN_A_VALUE.test(value))
      throw unsendable(`the header "${name}" cannot be sent`)
    head += `${name}: ${value}\r\n`
  }
  // Whoever is not told may answer compressed, which costs time at both ends.
  if (headers['accept-encoding'] === undefined) head += 'accept-encoding: identity\r\n'
  if (body !== null || method === 'POST' || method === 'PUT' || method === 'PATCH')
    head += `content-length: ${bodyBytes}\r\n`
  return `${head}\r\n`
}

function unsendable(reason: string): AppError {
  return new AppError(
    'upstream_error',
    `The request to the vendor could not be made: ${reason}. Nothing was charged.`,
  )
}
