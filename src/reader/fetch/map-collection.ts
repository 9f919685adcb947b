import { withoutPosition } from './view-fragment.ts'

export type MappedLink = { url: string; title?: string; description?: string }
export type LinkFacts = { title?: string | undefined; description?: string | undefined }
export type LinkCollection = {
  /** Adds a page of the site once. Later calls add missing facts. */
  add(url: string, facts?: LinkFacts): void
  remove(url: string): void
  isOfSite(url: string): boolean
  readonly size: number
  /** Pages that contain every word of `search`, in the order of their addition. */
  list(search: string | undefined, limit: number): MappedLink[]
}

const MAX_URL = 2_048
const TRACKER =
  /^(utm_\w+|[gdfy]clid|fbclid|gclsrc|gbraid|wbraid|msclkid|twclid|ttclid|igshid|mc_[ce]id|_ga|_gl|_hsenc|_hsmi|mkt_tok|vero_id|oly_(anon|enc)_id|s_cid|ef_id|phpsessid|jsessionid)$/i
const ASSET =
  /\.(css|m?js|map|png|jpe?g|gif|webp|avif|svg|ico|bmp|tiff?|woff2?|ttf|otf|eot|mp[34]|m4[av]|webm|og[gv]|wav|avi|mov|zip|t?gz|bz2|xz|7z|rar|dmg|exe|msi|deb|rpm|apk|iso|xml|rss|atom)$/i

/**
 * Pages of one site. Ignores "www.", scheme, tracking parameters, positions on a page and a trailing slash.
 */
export function createLinkCollection(site: URL, maxLinks: number): LinkCollection {
  const links = new Map<string, MappedLink>()
  const host = bareHost(site)
  const isOfSite = (url: string) => {
    const parsed = URL.parse(url)
    return parsed !== null && /^https?:$/.test(parsed.protocol) && bareHost(parsed) === host
  }
  return {
    isOfSite,
    get size() {
      return links.size
    },
    add(address, { title, description } = {}) {
      if (address.length > MAX_URL || !isOfSite(address)) return
      const url = cleaned(address)
      if (ASSET.test(url.pathname) || url.pathname.startsWith('/cdn-cgi/')) return
      const key = keyOf(url)
      const link = links.get(key) ?? { url: url.href }
      if (!links.has(key) && links.size >= maxLinks) return
      links.set(key, link)
      if (title !== undefined && title !== '') link.title ??= title
      if (description !== undefined && description !== '') link.description ??= description
    },
    remove(url) {
      links.delete(keyOf(cleaned(url)))
    },
    list(search, limit) {
      const words = fold(search ?? '')
        .split(/\s+/)
        .filter((word) => word !== '')
      const holds = ({ url, title = '' }: MappedLink) => {
        const text = fold(`${readable(url)} ${title}`)
        return words.every((word) => text.includes(word))
      }
      return [...links.values()].filter(holds).slice(0, limit)
    },
  }
}

function cleaned(address: string): URL {
  const url = new URL(address)
  url.hash = withoutPosition(url.hash)
  url.username = ''
  url.password = ''
  // In one step: `searchParams` would rewrite the query for each parameter and change the page's
  // own encoding.
  const parameters = url.search.slice(1).split('&')
  const remaining = parameters.filter(
    (parameter) => !TRACKER.test(parameter.split('=', 1)[0] ?? ''),
  )
  if (remaining.length < parameters.length) url.search = remaining.join('&')
  return url
}

function keyOf({ pathname, search, hash }: URL): string {
  return `${pathname.replace(/\/$/, '')}${search}${hash}`
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
