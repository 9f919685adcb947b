/** When two addresses are one page: the form under which search results are merged. */

const TRACKING =
  /^(?:utm_.*|mtm_.*|pk_.*|hsa_.*|_hs.*|mc_(?:cid|eid)|[gdfmty]clid|gclsrc|gbraid|wbraid|msclkid|fbclid|igsh(?:id)?|yclid|twclid|ttclid|li_fat_id|mkt_tok|vero_(?:id|conv)|oly_(?:anon|enc)_id|ref_(?:src|url)|spm|scm|cmpid|ncid|ocid|s_cid|guccounter|guce_referrer.*|__twitter_impression|amp)$/i
/** Labels in front of a host that serve the same pages to other devices. */
const DEVICE_LABEL = /^(?:www\d?|m|mobile|amp)\./
const DEVICE_LABEL_WITHIN = /^([a-z]{2,3})\.(?:m|mobile)\./
const DEFAULT_PAGE = /\/(?:index|default)\.(?:html?|php|aspx?|jsp)$/i

/** The address without what only tracks its visitors and without a fragment; null when it is no web address. */
export function cleanUrl(text: string): string | null {
  const url = URL.parse(text.trim())
  if (
    url === null ||
    (url.protocol !== 'http:' && url.protocol !== 'https:') ||
    !url.hostname.includes('.')
  )
    return null
  // All at once: with `searchParams` each of them would write all others anew.
  const parameters = url.search.slice(1).split('&')
  const kept = parameters.filter((parameter) => !TRACKING.test(parameter.split('=', 1)[0] ?? ''))
  if (kept.length < parameters.length) url.search = kept.join('&')
  // "#!/" and "#/" name a page of an application; any other fragment a place on the page.
  if (!/^#!?\//.test(url.hash)) url.hash = ''
  url.username = ''
  url.password = ''
  return url.href
}

/** The same text for every spelling of one page's address. `clean` comes from `cleanUrl`. */
export function canonicalKey(clean: string): string {
  const url = new URL(clean)
  const known = knownSite(url)
  if (known !== null) return known
  url.searchParams.sort()
  const path = decoded(url.pathname)
    .replace(/\/{2,}/g, '/')
    .replace(DEFAULT_PAGE, '/')
    .replace(/\/amp\/?$/, '/')
    .replace(/\/+$/, '')
  return `${hostOf(url)}${url.port === '' ? '' : `:${url.port}`}${path}${url.search}${url.hash}`
}

/** The host without the labels that stand for a device: "en.m.wikipedia.org" is "en.wikipedia.org". */
export function hostOf({ hostname }: URL): string {
  const host = hostname.replace(/\.+$/, '').toLowerCase()
  const plain = host.replace(DEVICE_LABEL_WITHIN, '$1.').replace(DEVICE_LABEL, '')
  return plain.includes('.') ? plain : host
}

/** Whether a host is one of these domains or below one. */
export function isWithin(host: string, domains: readonly string[]): boolean {
  return domains.some((domain) => host === domain || host.endsWith(`.${domain}`))
}

/** Sites that are known to serve one work under several addresses. */
function knownSite(url: URL): string | null {
  const host = hostOf(url)
  if (host === 'doi.org' || host === 'dx.doi.org')
    return `doi.org${decoded(url.pathname).toLowerCase()}`
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

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
