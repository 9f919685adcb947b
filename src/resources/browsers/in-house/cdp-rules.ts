/** Schemes of pages that belong to the machine or to the browser itself. */
const LOCAL_SCHEMES = new Set([
  'file:',
  'filesystem:',
  'chrome:',
  'chrome-untrusted:',
  'devtools:',
  'chrome-extension:',
])
const VIEW_SOURCE = 'view-source:'
const OPENS_URL = new Set(['Page.navigate', 'Target.createTarget'])

/**
 * The reason why a client may not send this command, or null. The isolation of the browser makes
 * these commands harmless; a rejection shows the caller that they have no effect.
 */
export function findRefusal(method: string, params: unknown): string | null {
  const { url, proxyServer } = (params ?? {}) as { url?: unknown; proxyServer?: unknown }
  if (OPENS_URL.has(method) && typeof url === 'string' && isLocal(url))
    return 'This browser opens web pages only, no files and no pages of the browser.'
  if (method === 'Target.createBrowserContext' && proxyServer !== undefined && proxyServer !== '')
    return 'This browser supports no other proxies.'
  return null
}

/** By the rules of URLs: control characters have no meaning in a scheme. */
function isLocal(text: string): boolean {
  let inner = text
  while (URL.canParse(inner)) {
    const { protocol, href } = new URL(inner)
    if (protocol !== VIEW_SOURCE) return LOCAL_SCHEMES.has(protocol)
    inner = href.slice(VIEW_SOURCE.length)
  }
  return false
}
