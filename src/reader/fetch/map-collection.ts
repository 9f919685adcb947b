export type MappedLink = { url: string; title?: string; description?: string }
export type LinkFacts = { title?: string | undefined; description?: string | undefined }
export type LinkCollection = {
  /** Keeps a page of the site, once. Facts that come later are added. */
  add(url: string, facts?: LinkFacts): void
  remove(url: string): void
  isOfSite(url: string): boolean
  readonly size: number
  /** Those that hold every word of `search`, in the order in which they came. */
  list(search: string | undefined, limit: number): MappedLink[]
}

const MAX_URL = 2_048
const TRACKER =
  /^(utm_\w+|[gdfy]clid|fbclid|gclsrc|gbraid|wbraid|msclkid|twclid|ttclid|igshid|mc_[ce]id|_ga|_gl|_hsenc|_hsmi|mkt_tok|vero_id|oly_(anon|enc)_id|s_cid|ef_id|phpsessid|jsessionid)$/i
const ASSET =
  /\.(css|m?js|map|png|jpe?g|gif|webp|avif|svg|ico|bmp|tiff?|woff2?|ttf|otf|eot|mp[34]|m4[av]|webm|og[gv]|wav|avi|mov|zip|t?gz|bz2|xz|7z|rar|dmg|exe|msi|deb|rpm|apk|iso|xml|rss|atom)$/i

/** Pages of one site. "www." and the scheme make no difference, neither do trackers, fragments and a last slash. */
export function createLinkCollection(site: URL, maxKept: number): LinkCollection {
  const kept = new Map<string, MappedLink>()
  const host = bareHost(site)
  const isOfSite = (url: string) => {
    const parsed = URL.parse(url)
    return parsed !== null && /^https?:$/.test(parsed.protocol) && bareHost(parsed) === host
  }
  return {
    isOfSite,
    get size() {
      return kept.size
    },
    add(address, { title, description } = {}) {
      if (address.length > MAX_URL || !isOfSite(address)) return
      const url = cleaned(address)
      if (ASSET.test(url.pathname) || url.pathname.startsWith('/cdn-cgi/')) return
      const key = keyOf(url)
      const link = kept.get(key) ?? { url: url.href }
      if (!kept.has(key) && kept.size >= maxKept) return
      kept.set(key, link)
      if (title !== undefined && title !== '') link.title ??= title
      if (description !== undefined && description !== '') link.description ??= description
    },
    remove(url) {
      kept.delete(keyOf(cleaned(url)))
    },
    list(search, limit) {
      const words = fold(search ?? '')
        .split(/\s+/)
        .filter((word) => word !== '')
      const holds = ({ url, title = '' }: MappedLink) => {
        const text = fold(`${readable(url)} ${title}`)
        return words.every((word) => text.includes(word))
      }
      return [...kept.values()].filter(holds).slice(0, limit)
    },
  }
}

function cleaned(address: string): URL {
  const url = new URL(address)
  url.hash = ''
  url.username = ''
  url.password = ''
  // All at once: with `searchParams` each of them would write the others anew, and a page's own form of those counts.
  const parameters = url.search.slice(1).split('&')
  const kept = parameters.filter((parameter) => !TRACKER.test(parameter.split('=', 1)[0] ?? ''))
  if (kept.length < parameters.length) url.search = kept.join('&')
  return url
}

function keyOf({ pathname, search }: URL): string {
  return `${pathname.replace(/\/$/, '')}${search}`
}

function bareHost({ hostname, port }: URL): string {
  return `${hostname.replace(/^www\./, '').replace(/\.$/, '')}:${port}`
}

function readable(url: string): string {
  try {
    return decodeURIComponent(url)
  } catch {
    return url
  }
}

function fold(text: string): string {
  return text.toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '')
}
