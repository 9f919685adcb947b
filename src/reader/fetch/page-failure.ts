import { AppError } from '../../errors/app-error.ts'
import { BodyIncomplete } from './body-end.ts'
import { isGuardRefusal } from '../../upstream/guard.ts'

export type FailureReason =
  | 'timeout'
  | 'connect_timeout'
  | 'aborted'
  | 'dns'
  | 'refused'
  | 'connection'
  | 'tls'
  | 'too_large'
  | 'too_many_redirects'
  | 'not_html'
  | 'robots'
  | 'blocked_address'
  | 'bad_url'
  | 'http_status'
  | 'bad_response'
  | 'incomplete'
  | 'extraction'
  | 'unavailable'

/** The reason a page could not be read. A value, because one failed page does not stop a batch. */
export type PageFailure = {
  kind: 'failed'
  reason: FailureReason
  url: string
  finalUrl?: string
  status?: number
  /** The type of a resource that is not a page, if the server sent one. */
  contentType?: string
}

/** Reports whether the requested URL itself failed, not one that it redirects to. */
export function isAtStart({ url, finalUrl = url }: PageFailure): boolean {
  return finalUrl === url || URL.parse(finalUrl)?.href === URL.parse(url)?.href
}

const REASONS_BY_CODE: Record<string, FailureReason> = {
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  EAI_NODATA: 'dns',
  ENODATA: 'dns',
  EAI_FAIL: 'dns',
  EAI_NONAME: 'dns',
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'refused',
  ENETUNREACH: 'refused',
  EADDRNOTAVAIL: 'refused',
  ECONNRESET: 'connection',
  EPIPE: 'connection',
  UND_ERR_SOCKET: 'connection',
  ETIMEDOUT: 'connect_timeout',
  UND_ERR_CONNECT_TIMEOUT: 'connect_timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  EPROTO: 'tls',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'tls',
  SELF_SIGNED_CERT_IN_CHAIN: 'tls',
  HOSTNAME_MISMATCH: 'tls',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'tls',
  UNABLE_TO_GET_ISSUER_CERT: 'tls',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'tls',
}

/** Maps a network error of undici or Node to a reason; follows causes and aggregated errors. */
export function reasonOf(error: unknown): FailureReason {
  if (isGuardRefusal(error)) return 'blocked_address'
  for (const inner of unwrap(error)) {
    if (inner instanceof AppError && inner.code === 'bad_url') return 'bad_url'
    if (inner.name === 'TimeoutError') return 'timeout'
    if (inner instanceof BodyIncomplete) return 'incomplete'
    const code = (inner as NodeJS.ErrnoException).code ?? ''
    const known = REASONS_BY_CODE[code]
    if (known !== undefined) return known
    if (/^(CERT_|ERR_TLS|ERR_SSL)/.test(code)) return 'tls'
  }
  return 'bad_response'
}

function unwrap(error: unknown, depth = 0): Error[] {
  if (!(error instanceof Error) || depth > 4) return []
  const joined: unknown[] = error instanceof AggregateError ? error.errors : []
  return [error, ...[error.cause, ...joined].flatMap((inner) => unwrap(inner, depth + 1))]
}
