import type { Guard } from '../../upstream/guard.ts'
import { PageCrashed } from './browser.ts'
import { reasonOf, type FailureReason } from '../fetch/page-failure.ts'

/**
 * A navigation started by the page ended in the browser's error page. The message is the browser's.
 */
export class NavigationFailed extends Error {
  override readonly name = 'NavigationFailed'
}

const REASONS_BY_NET_ERROR: readonly (readonly [RegExp, FailureReason])[] = [
  [/ERR_NAME_NOT_RESOLVED/, 'dns'],
  [/ERR_CERT_|ERR_SSL_|ERR_BAD_SSL/, 'tls'],
  [/ERR_TOO_MANY_REDIRECTS/, 'too_many_redirects'],
  [
    /ERR_(UNSAFE_PORT|UNKNOWN_URL_SCHEME|DISALLOWED_URL_SCHEME|INVALID_URL|BLOCKED_BY_CLIENT)/,
    'bad_url',
  ],
  [/ERR_CONNECTION_|ERR_EMPTY_RESPONSE|ERR_SOCKET|ERR_INCOMPLETE|ERR_CONTENT_LENGTH/, 'connection'],
  [/ERR_(CONNECTION_)?TIMED_OUT/, 'timeout'],
  [/Download is starting/, 'not_html'],
  [/(Page|Target) crashed/, 'bad_response'],
  [/Target (page|closed)|has been closed|Browser closed|disconnected/i, 'unavailable'],
]

/** Maps a failed navigation to a reason. `unavailable` means that the browser itself ended. */
export function reasonOfNavigation(error: unknown): FailureReason {
  if (error instanceof PageCrashed) return 'bad_response'
  const message = error instanceof Error ? error.message : ''
  return REASONS_BY_NET_ERROR.find(([pattern]) => pattern.test(message))?.[1] ?? reasonOf(error)
}

/** Reports whether the proxy refused a tunnel. The browser does not report the reason. */
export function isTunnelRefusal(error: unknown): boolean {
  return error instanceof Error && /ERR_TUNNEL_CONNECTION_FAILED|ERR_PROXY_/.test(error.message)
}

/** Reports whether the "page" is the guard proxy's own response to a plain HTTP request. */
export function isProxyAnswer(
  answer: { status: number; contentType: string },
  text: string,
): boolean {
  return (
    (answer.status === 403 || answer.status === 502) &&
    answer.contentType === 'text/plain' &&
    text.trim() === 'Refused.'
  )
}

/** Connects through the guard to find why the proxy failed: the browser knows only that it did. */
export async function reasonOfRefusal(
  guard: Guard,
  address: string,
  signal: AbortSignal,
): Promise<FailureReason> {
  try {
    const url = guard.checkUrl(address, 'redirect')
    const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
    const socket = await guard.connect(url.hostname.replace(/^\[|\]$/g, ''), port, signal)
    socket.destroy()
    return 'connection'
  } catch (error) {
    return reasonOf(error)
  }
}
