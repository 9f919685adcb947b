import type { Hop, JobTools } from '../../catalog/vocabulary/handlers.ts'
import { findHttpUrls } from './http-fallback.ts'
import { normaliseUrl } from './urls.ts'

export type SiteInput = {
  readonly url: string
  readonly max_pages: number
  readonly include?: readonly string[]
  readonly exclude?: readonly string[]
}

/** `seedAlone`: the reason why only the seed is read although the caller requested more pages. */
export type SitePages = {
  readonly seed: string
  readonly mappedPages: number
  readonly urls: readonly string[]
  readonly hops: readonly Hop[]
  readonly seedAlone: 'not mapped' | 'none fits' | null
}

const LINKS_WANTED = 1_000
/** Pages that match a pattern may appear late in the list of a large site. A map costs the same for any length. */
const LINKS_TO_CHOOSE_FROM = 5_000

/**
 * Lists the pages of a site to read: the seed first, then pages of its host that pass the globs, at
 * most `max_pages`. Returns only the seed if no service can map the site.
 */
export async function mapSite(
  tools: JobTools,
  { url, max_pages: most, include = [], exclude = [] }: SiteInput,
): Promise<SitePages> {
  const { seed, links, hops } = await mapFrom(
    tools,
    url,
    include.length + exclude.length > 0 ? LINKS_TO_CHOOSE_FROM : LINKS_WANTED,
  )
  const [host, seedPlace, isWanted] = [
    hostOf(seed),
    placeOf(seed),
    compileFilters(include, exclude),
  ]
  const mapped = new Map<string, string>()
  for (const page of links.map(toPageUrl))
    if (page !== null && hostOf(page) === host && !mapped.has(placeOf(page)))
      mapped.set(placeOf(page), page)
  const urls = [seed]
  for (const [place, page] of mapped) {
    if (urls.length >= most) break
    if (place !== seedPlace && isWanted(page)) urls.push(page)
  }
  const hasOthers = mapped.size > (mapped.has(seedPlace) ? 1 : 0)
  const seedAlone =
    most === 1 || urls.length > 1
      ? null
      : mapped.size === 0
        ? 'not mapped'
        : hasOthers
          ? 'none fits'
          : null
  return { seed, mappedPages: mapped.size, urls, hops, seedAlone }
}

/** Maps the site over https. Falls back to http, also for the seed, if the caller named no scheme. */
async function mapFrom(
  tools: JobTools,
  typed: string,
  limit: number,
): Promise<{ seed: string; links: readonly string[]; hops: readonly Hop[] }> {
  const seed = normaliseUrl(typed, 'site.url')
  const first = await listLinks(tools, seed, limit)
  const httpSeed = findHttpUrls([typed]).get(seed)
  if (first.links.length > 0 || httpSeed === undefined) return { seed, ...first }
  const second = await listLinks(tools, httpSeed, limit)
  return {
    seed: second.links.length > 0 ? httpSeed : seed,
    links: second.links,
    hops: [...first.hops, ...second.hops],
  }
}

/** Maps the site with `render`, then with `render2` if that fails. */
async function listLinks(
  tools: JobTools,
  seed: string,
  limit: number,
): Promise<{ links: readonly string[]; hops: readonly Hop[] }> {
  const first = await tools.invoke('render', 'map', { url: seed, limit })
  if (first.outcome.kind === 'done')
    return { links: addressesIn(first.outcome.data['links']), hops: [first.hop] }
  const second = await tools.invoke('render2', 'map', { url: seed })
  const data = second.outcome.kind === 'done' ? second.outcome.data['data'] : undefined
  return {
    links: addressesIn((data as { links?: unknown } | undefined)?.links),
    hops: [first.hop, second.hop],
  }
}

/** Reads the URLs of a list whose items are URLs or objects with a `url`. */
function addressesIn(links: unknown): string[] {
  if (!Array.isArray(links)) return []
  return links
    .map((link: unknown) =>
      typeof link === 'object' && link !== null ? (link as { url?: unknown }).url : link,
    )
    .filter((address) => typeof address === 'string')
}

/** The normalised URL, or null for a document or a page of a social platform. */
function toPageUrl(address: string): string | null {
  try {
    return normaliseUrl(address, 'link')
  } catch {
    return null
  }
}

/** The host without "www.". */
function hostOf(url: string): string {
  return new URL(url).host.replace(/^www\./, '')
}

/** The same for http and https, with and without "www." and a final slash, so that no page is read twice. */
function placeOf(page: string): string {
  const { pathname, search } = new URL(page)
  return `${hostOf(page)}${pathname.replace(/\/$/, '')}${search}`
}

/** Returns a test of whether a page passes the globs. */
function compileFilters(
  include: readonly string[],
  exclude: readonly string[],
): (page: string) => boolean {
  const [isIncluded, isExcluded] = [compileGlobs(include), compileGlobs(exclude)]
  return (page) => !isExcluded(page) && (include.length === 0 || isIncluded(page))
}

/** The parts of a pattern between its `*`. `tail` is null without a `*`. */
type Glob = {
  readonly head: string
  readonly between: readonly string[]
  readonly tail: string | null
}

/**
 * Returns a test of whether a page matches one of the patterns. `*` matches any text; a pattern
 * without it matches a part of the URL. A pattern may match the whole URL, the part after
 * "https://", or the path. Patterns and pages are parsed once, because there may be thousands.
 */
export function compileGlobs(patterns: readonly string[]): (page: string) => boolean {
  const parsed = patterns.map((pattern): Glob => {
    const [head = '', ...rest] = pattern.split('*')
    return { head, tail: rest.pop() ?? null, between: rest }
  })
  return (page) => {
    if (parsed.length === 0) return false
    const { href, protocol, pathname, search } = new URL(page)
    // A caller writes "/über/*" for the path "/%C3%BCber/".
    const wholes = withDecoded([href])
    const texts = withDecoded([href, href.slice(protocol.length + 2), `${pathname}${search}`])
    return parsed.some(({ head, between, tail }) => {
      if (tail === null) return wholes.some((whole) => whole.includes(head))
      // A leading star matches any start, so the whole URL suffices.
      return (head === '' ? wholes : texts).some((text) => matches(text, head, between, tail))
    })
  }
}

function withDecoded(texts: readonly string[]): readonly string[] {
  return texts.some((text) => text.includes('%')) ? [...texts, ...texts.map(decode)] : texts
}

/** Returns the URL unchanged if it has stray percent signs. */
function decode(href: string): string {
  try {
    return decodeURI(href)
  } catch {
    return href
  }
}

/** Finds each part at its first position, which suffices because any text may lie between parts. */
function matches(text: string, head: string, between: readonly string[], tail: string): boolean {
  if (!text.startsWith(head) || !text.endsWith(tail)) return false
  let from = head.length
  for (const part of between) {
    const place = text.indexOf(part, from)
    if (place < 0) return false
    from = place + part.length
  }
  return from <= text.length - tail.length
}
