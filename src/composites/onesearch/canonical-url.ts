/** The canonical form of URLs, which identifies duplicate search results. */
import { withoutPosition } from '../../reader/fetch/view-fragment.ts'

const TRACKING =
  /^(?:utm_.*|mtm_.*|pk_.*|hsa_.*|_hs.*|mc_(?:cid|eid)|[gdfmty]clid|gclsrc|gbraid|wbraid|msclkid|fbclid|igsh(?:id)?|yclid|twclid|ttclid|li_fat_id|mkt_tok|vero_(?:id|conv)|oly_(?:anon|enc)_id|ref_(?:src|url)|spm|scm|cmpid|ncid|ocid|s_cid|guccounter|guce_referrer.*|__twitter_impression|amp)$/i
/** Host labels that serve the same pages to other devices. */
const DEVICE_LABEL = /^(?:www\d?|m|mobile|amp)\./
const DEVICE_LABEL_WITHIN = /^([a-z]{2,3})\.(?:m|mobile)\./
const DEFAULT_PAGE = /\/(?:index|default)\.(?:html?|php|aspx?|jsp)$/i

/** Removes tracking parameters and positions on the page. Null for a text that is not a web address. */
export function cleanUrl(text: string): string | null {
  const url = URL.parse(text.trim())
  if (
    url === null ||
    (url.protocol !== 'http:' && url.protocol !== 'https:') ||
    !url.hostname.includes('.')
  )
    return null
  // One assignment: each deletion through `searchParams` would rewrite the whole query.
  const parameters = url.search.slice(1).split('&')
  const content = parameters.filter((parameter) => !TRACKING.test(parameter.split('=', 1)[0] ?? ''))
  if (content.length < parameters.length) url.search = content.join('&')
  url.hash = withoutPosition(url.hash)
  url.username = ''
  url.password = ''
  return url.href
}

/** Returns the same text for all URLs of one page. `clean` comes from `cleanUrl`. */
export function canonicalKey(clean: string): string {
  const url = new URL(clean)
  const known = keyOfKnownSite(url)
  if (known !== null) return known
  url.searchParams.sort()
  const path = decode(url.pathname)
    .replace(/\/{2,}/g, '/')
    .replace(DEFAULT_PAGE, '/')
    .replace(/\/amp\/?$/, '/')
    .replace(/\/+$/, '')
  return `${hostOf(url)}${url.port === '' ? '' : `:${url.port}`}${path}${url.search}${url.hash}`
}

/** The host without device labels: "en.wikipedia.org" for "en.m.wikipedia.org". */
export function hostOf({ hostname }: URL): string {
  const host = hostname.replace(/\.+$/, '').toLowerCase()
  const plain = host.replace(DEVICE_LABEL_WITHIN, '$1.').replace(DEVICE_LABEL, '')
  return plain.includes('.') ? plain : host
}

/** Whether a host is one of these domains or a subdomain. */
export function isWithin(host: string, domains: readonly string[]): boolean {
  return domains.some((domain) => host === domain || host.endsWith(`.${domain}`))
}

/** The key of a page on a site that serves the same work at several URLs; otherwise null. */
function keyOfKnownSite(url: URL): string | null {
  const host = hostOf(url)
  if (host === 'doi.org' || host === 'dx.doi.org')
    return `doi.org${decode(url.pathname).toLowerCase()}`
  const paper =
    host === 'arxiv.org'
      ? /^\/(?:abs|pdf|html)\/([\w.-]+(?:\/\d+)?)$/.exec(url.pathname)?.[1]
      : undefined
  if (paper !== undefined)
    return `arxiv.org/abs/${paper.replace(/\.pdf$/, '').replace(/v\d+$/, '')}`
  const video =
    host === 'youtu.be'
      ? url.pathname.slice(1)
      : host === 'youtube.com' && url.pathname === '/watch'
        ? url.searchParams.get('v')
        : null
  return video === null || video === '' ? null : `youtube.com/watch?v=${video}`
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
