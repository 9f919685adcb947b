import type { Guard } from '../../upstream/guard.ts'
import { PageCrashed } from './browser.ts'
import { reasonOf, type FailureReason } from '../fetch/page-failure.ts'

/** A navigation that the page began by itself ended in the browser's own error page. The message is the browser's. */
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

/** Why a navigation failed. `unavailable`: the browser itself went away. */
export function reasonOfNavigation(error: unknown): FailureReason {
  if (error instanceof PageCrashed) return 'bad_response'
  const message = error instanceof Error ? error.message : ''
  return REASONS_BY_NET_ERROR.find(([pattern]) => pattern.test(message))?.[1] ?? reasonOf(error)
}

/** Whether the proxy refused to make a tunnel: why, the browser does not say. */
export function isTunnelRefusal(error: unknown): boolean {
  return error instanceof Error && /ERR_TUNNEL_CONNECTION_FAILED|ERR_PROXY_/.test(error.message)
}

/** Whether the "page" is the guard proxy's own answer to a plain http request. */
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

/** Asks the guard why the proxy could not reach a host, since the browser is only told that it could not. */
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
