import { withoutPosition } from '../../reader/fetch/view-fragment.ts'

const FILE =
  /\.(pdf|docx?|xlsx?|pptx?|odt|ods|odp|rtf|zip|gz|tgz|rar|7z|dmg|exe|msi|png|jpe?g|gif|webp|avif|svg|ico|bmp|mp[34]|m4[av]|webm|mov|avi|wav|ogg|woff2?|ttf|css|js|mjs|json|xml|rss|atom)$/i
const MAX_ADDRESS = 2_048

/** The links of a page that a crawl follows: pages and views of the same host, each once. */
export function linksToFollow(links: readonly string[], start: string): string[] {
  const host = hostOf(new URL(start))
  const found = new Set<string>()
  for (const link of links) {
    const url = URL.parse(link)
    if (url === null || !/^https?:$/.test(url.protocol) || hostOf(url) !== host) continue
    url.hash = withoutPosition(url.hash)
    if (!FILE.test(url.pathname) && url.href.length <= MAX_ADDRESS) found.add(url.href)
  }
  return [...found]
}

function hostOf({ host }: URL): string {
  return host.replace(/^www\./, '')
}
