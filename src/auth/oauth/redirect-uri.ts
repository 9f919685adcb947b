export const LONGEST_REDIRECT_URI = 500

/** RFC 8252, section 7.3: native apps listen on any free port. Also "localhost", which most MCP clients register. */
const LOOPBACK = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(?::\d{1,5})?([/?].*)?$/
/** No blanks, control characters or fragment. Browsers read a backslash as a slash. */
const CHARACTERS = /^[\x21-\x7e]+$/
const FORBIDDEN_CHARACTER = /[#\\]/
const APP_SCHEME = /^([a-z][a-z0-9+.-]*):\//
/** Any other character of a host, such as ";" or "*", would change the policy of the consent page. */
const SITE = /^https:\/\/(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?(?:[/?]|$)/i

/**
 * An app's scheme is a domain name in reverse (RFC 8252, section 7.1), or that of a known client. All others
 * are refused, because browsers and operating systems handle many of them: "ms-settings", "search", "ssh".
 */
const REVERSE_DOMAIN =
  /^(?:[a-z]{2}|com|org|net|edu|app|dev|info|biz|cloud|tech|xyz|tools|software)(?:\.[a-z0-9-]+)+$/
const KNOWN_CLIENTS = new Set([
  'antigravity',
  'boltai',
  'chatbox',
  'chatgpt',
  'chatwise',
  'cherrystudio',
  'claude',
  'code-oss',
  'cursor',
  'cursor-nightly',
  'goose',
  'jan',
  'jetbrains',
  'kiro',
  'librechat',
  'lmstudio',
  'msty',
  'obsidian',
  'opencode',
  'positron',
  'postman',
  'qoder',
  'raycast',
  'trae',
  'void',
  'vscode',
  'vscode-insiders',
  'vscodium',
  'warp',
  'warppreview',
  'windsurf',
  'windsurf-next',
  'zed',
])

/** Where a redirect leads: to a site, or to an app on the person's device. */
export type RedirectTarget = 'site' | 'device'

/** The target of a redirect URI. Null if clients may not use the URI. */
export function redirectTargetOf(text: string): RedirectTarget | null {
  if (text.length > LONGEST_REDIRECT_URI || !CHARACTERS.test(text)) return null
  if (FORBIDDEN_CHARACTER.test(text)) return null
  const url = URL.parse(text)
  if (url === null || url.username !== '' || url.password !== '') return null
  if (url.protocol === 'https:') return SITE.test(text) && SITE.test(url.origin) ? 'site' : null
  if (url.protocol === 'http:') return LOOPBACK.test(text) ? 'device' : null
  const scheme = APP_SCHEME.exec(text)?.[1]
  return scheme !== undefined && (REVERSE_DOMAIN.test(scheme) || KNOWN_CLIENTS.has(scheme))
    ? 'device'
    : null
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
