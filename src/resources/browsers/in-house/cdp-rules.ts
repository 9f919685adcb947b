/** Schemes of pages that belong to the machine or to the browser itself. */
const LOCAL_SCHEME =
  /^\s*(?:view-source:\s*)*(?:file|filesystem|chrome|chrome-untrusted|devtools|chrome-extension):/i
const OPENS_URL = new Set(['Page.navigate', 'Target.createTarget'])

/**
 * The reason why a client may not send this command, or null. The isolation of the browser makes
 * these commands harmless; a rejection shows the caller that they have no effect.
 */
export function findRefusal(method: string, params: unknown): string | null {
  const { url, proxyServer } = (params ?? {}) as { url?: unknown; proxyServer?: unknown }
  if (OPENS_URL.has(method) && typeof url === 'string' && LOCAL_SCHEME.test(url))
    return 'This browser opens web pages only, no files and no pages of the browser.'
  if (method === 'Target.createBrowserContext' && proxyServer !== undefined && proxyServer !== '')
    return 'This browser supports no other proxies.'
  return null
}
