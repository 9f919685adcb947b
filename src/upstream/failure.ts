import type { ErrorCode } from '../errors/catalog.ts'

/** What a vendor's status means when the vendor says nothing more precise. A vendor's 402 never surfaces as ours. */
export function failureOfStatus(status: number): { readonly code: ErrorCode } {
  if (status === 402) return { code: 'upstream_payment' }
  if (status === 401 || status === 403) return { code: 'upstream_not_configured' }
  if (status === 404 || status === 410) return { code: 'upstream_not_found' }
  if (status === 408 || status === 504) return { code: 'upstream_timeout' }
  if (status === 409) return { code: 'upstream_conflict' }
  if (status === 429) return { code: 'upstream_busy' }
  if (status >= 400 && status < 500) return { code: 'upstream_rejected' }
  return { code: 'upstream_error' }
}

const TIMEOUTS = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT'])

/** What a broken connection means. */
export function failureOfTransport(error: unknown): ErrorCode {
  return TIMEOUTS.has(String((error as { code?: unknown } | null)?.code)) ? 'upstream_timeout' : 'upstream_error'
}
