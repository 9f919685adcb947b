export const LONGEST_REDIRECT_URI = 500

/** RFC 8252, section 7.3: native apps listen on any free port. Also "localhost", which most MCP clients register. */
const LOOPBACK = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(?::\d{1,5})?([/?].*)?$/
/** No blanks, control characters or fragment. Browsers read a backslash as a slash. */
const CHARACTERS = /^[\x21-\x7e]+$/
const FORBIDDEN_CHARACTER = /[#\\]/
const APP_SCHEME = /^([a-z][a-z0-9+.-]*):\//

/** Schemes that a browser or the operating system handles itself. */
const NO_APP = new Set([
  'about',
  'blob',
  'chrome',
  'data',
  'file',
  'filesystem',
  'ftp',
  'http',
  'https',
  'intent',
  'javascript',
  'mailto',
  'ms-msdt',
  'resource',
  'search-ms',
  'sms',
  'tel',
  'vbscript',
  'view-source',
  'ws',
  'wss',
])

/** Where a redirect leads: to a site, or to an app on the person's device. */
export type RedirectTarget = 'site' | 'device'

/** The target of a redirect URI. Null if clients may not use the URI. */
export function redirectTargetOf(text: string): RedirectTarget | null {
  if (text.length > LONGEST_REDIRECT_URI || !CHARACTERS.test(text)) return null
  if (FORBIDDEN_CHARACTER.test(text)) return null
  const url = URL.parse(text)
  if (url === null || url.username !== '' || url.password !== '') return null
  if (url.protocol === 'https:') return 'site'
  if (url.protocol === 'http:') return LOOPBACK.test(text) ? 'device' : null
  const scheme = APP_SCHEME.exec(text)?.[1]
  return scheme === undefined || NO_APP.has(scheme) ? null : 'device'
}

/** Whether `given` is one of the client's redirect URIs. Only the port of a loopback address may differ. */
export function isRegisteredRedirect(registered: readonly string[], given: string): boolean {
  if (redirectTargetOf(given) === null) return false
  const portless = withoutPort(given)
  return registered.some(
    (one) => one === given || (portless !== null && withoutPort(one) === portless),
  )
}

/** A loopback URI without its port; null for any other URI. */
function withoutPort(text: string): string | null {
  const parts = LOOPBACK.exec(text)
  return parts === null ? null : `http://${parts[1] ?? ''}${parts[2] ?? ''}`
}
