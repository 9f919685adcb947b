import type { Hop, JobTools } from '../../catalog/vocabulary/handlers.ts'
import { addressesOverHttp } from './over-http.ts'
import { normaliseUrl } from './urls.ts'

export type SiteWish = {
  readonly url: string
  readonly max_pages: number
  readonly include?: readonly string[]
  readonly exclude?: readonly string[]
}
/** `seedAlone`: why no other page is read, where more were asked for. */
export type SitePages = {
  readonly seed: string
  readonly mappedPages: number
  readonly urls: readonly string[]
  readonly hops: readonly Hop[]
  readonly seedAlone: 'not mapped' | 'none fits' | null
}

const LINKS_WANTED = 1_000
/** Pages that fit a pattern may come late in the list of a large site; a map has one price, whatever its length. */
const LINKS_TO_CHOOSE_FROM = 5_000

/**
 * The pages of a site that are to be read: those of the seed's own host, filtered by the globs, at most `max_pages`,
 * the seed always first. When no service can map the site, that is the seed alone.
 */
export async function mapSite(
  tools: JobTools,
  { url, max_pages: most, include = [], exclude = [] }: SiteWish,
): Promise<SitePages> {
  const { seed, links, hops } = await mapFrom(
    tools,
    url,
    include.length + exclude.length > 0 ? LINKS_TO_CHOOSE_FROM : LINKS_WANTED,
  )
  const [host, seedPlace, isWanted] = [hostOf(seed), placeOf(seed), chooser(include, exclude)]
  const mapped = new Map<string, string>()
  for (const page of links.map(pageAt))
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

/** A site that was named without a scheme, and that cannot be mapped over https, is mapped over http, and is then that one. */
async function mapFrom(
  tools: JobTools,
  typed: string,
  limit: number,
): Promise<{ seed: string; links: readonly string[]; hops: readonly Hop[] }> {
  const seed = normaliseUrl(typed, 'site.url')
  const first = await linksOf(tools, seed, limit)
  const overHttp = addressesOverHttp([typed]).get(seed)
  if (first.links.length > 0 || overHttp === undefined) return { seed, ...first }
  const second = await linksOf(tools, overHttp, limit)
  return {
    seed: second.links.length > 0 ? overHttp : seed,
    links: second.links,
    hops: [...first.hops, ...second.hops],
  }
}

/** One service maps; the other is asked when the first cannot. */
async function linksOf(
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

/** The services list addresses, or objects that hold one. */
function addressesIn(links: unknown): string[] {
  if (!Array.isArray(links)) return []
  return links
    .map((link: unknown) =>
      typeof link === 'object' && link !== null ? (link as { url?: unknown }).url : link,
    )
    .filter((address) => typeof address === 'string')
}

/** Documents and pages of social platforms are no pages to read. */
function pageAt(address: string): string | null {
  try {
    return normaliseUrl(address, 'link')
  } catch {
    return null
  }
}

/** A site answers under its name with and without "www." */
function hostOf(url: string): string {
  return new URL(url).host.replace(/^www\./, '')
}

/** The same for http and https, with and without "www." and a last slash: one page, which is not read and paid twice. */
function placeOf(page: string): string {
  const { pathname, search } = new URL(page)
  return `${hostOf(page)}${pathname.replace(/\/$/, '')}${search}`
}

/** Whether the globs let a page in. */
function chooser(
  include: readonly string[],
  exclude: readonly string[],
): (page: string) => boolean {
  const [isIncluded, isExcluded] = [globs(include), globs(exclude)]
  return (page) => !isExcluded(page) && (include.length === 0 || isIncluded(page))
}

/** What stands before the first `*` of a pattern, between two and after the last; without any it is one part. */
type Glob = {
  readonly head: string
  readonly between: readonly string[]
  readonly tail: string | null
}

/**
 * Whether a page fits one of the patterns. `*` stands for anything, and a pattern without it for a part of the address. A
 * pattern may speak of the whole address, of what follows "https://", or of the path alone. Patterns and pages are taken
 * apart once each: a hundred patterns are held against thousands of pages.
 */
export function globs(patterns: readonly string[]): (page: string) => boolean {
  const read = patterns.map((pattern): Glob => {
    const [head = '', ...rest] = pattern.split('*')
    return { head, tail: rest.pop() ?? null, between: rest }
  })
  return (page) => {
    if (read.length === 0) return false
    const { href, protocol, pathname, search } = new URL(page)
    // People write "/über/*", addresses "/%C3%BCber/".
    const wholes = withReadable([href])
    const texts = withReadable([href, href.slice(protocol.length + 2), `${pathname}${search}`])
    return read.some(({ head, between, tail }) => {
      if (tail === null) return wholes.some((whole) => whole.includes(head))
      // Before a star at the beginning may be anything: what fits the end of the address fits all of it.
      return (head === '' ? wholes : texts).some((text) => fits(text, head, between, tail))
    })
  }
}

function withReadable(texts: readonly string[]): readonly string[] {
  return texts.some((text) => text.includes('%')) ? [...texts, ...texts.map(readable)] : texts
}

/** An address may hold stray percent signs; then it stays as it stands. */
function readable(href: string): string {
  try {
    return decodeURI(href)
  } catch {
    return href
  }
}

/** Takes each part at its first place, which is enough: what lies between parts may be anything. */
function fits(text: string, head: string, between: readonly string[], tail: string): boolean {
  if (!text.startsWith(head) || !text.endsWith(tail)) return false
  let from = head.length
  for (const part of between) {
    const place = text.indexOf(part, from)
    if (place < 0) return false
    from = place + part.length
  }
  return from <= text.length - tail.length
}
