import type { ErrorCode } from '../errors/catalog.ts'

const TIMEOUTS = new Set([
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'ETIMEDOUT',
])

/** Maps a connection error to an error code. */
export function codeOfTransportError(error: unknown): ErrorCode {
  return TIMEOUTS.has(String((error as { code?: unknown } | null)?.code))
    ? 'upstream_timeout'
    : 'upstream_error'
}
