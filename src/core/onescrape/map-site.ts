import type { Hop, JobTools } from '../../catalog/handlers.ts'
import { normaliseUrl } from './urls.ts'

export type SiteWish = { readonly url: string; readonly max_pages: number; readonly include?: readonly string[]; readonly exclude?: readonly string[] }
export type SitePages = { readonly seed: string; readonly mappedPages: number; readonly urls: readonly string[]; readonly hops: readonly Hop[] }

const LINKS_WANTED = 1_000
/** Pages that fit a pattern may come late in the list of a large site; a map has one price, whatever its length. */
const LINKS_TO_CHOOSE_FROM = 5_000

/**
 * The pages of a site that are to be read: those of the seed's own host, filtered by the globs, at most `max_pages`,
 * the seed always first. When no service can map the site, that is the seed alone.
 */
export async function mapSite(tools: JobTools, { url, max_pages: most, include = [], exclude = [] }: SiteWish): Promise<SitePages> {
  const seed = normaliseUrl(url, 'site.url')
  const { links, hops } = await linksOf(tools, seed, include.length + exclude.length > 0 ? LINKS_TO_CHOOSE_FROM : LINKS_WANTED)
  const mapped = new Map<string, string>()
  for (const page of links.map(pageAt)) if (page !== null && hostOf(page) === hostOf(seed) && !mapped.has(placeOf(page))) mapped.set(placeOf(page), page)
  const wanted = [...mapped].filter(([place, page]) => place !== placeOf(seed) && isWanted(page, include, exclude)).map(([, page]) => page)
  return { seed, mappedPages: mapped.size, urls: [seed, ...wanted].slice(0, most), hops }
}

/** One service maps; the other is asked when the first cannot. */
async function linksOf(tools: JobTools, seed: string, limit: number): Promise<{ links: readonly string[]; hops: readonly Hop[] }> {
  const first = await tools.invoke('render', 'map', { url: seed, limit })
  if (first.outcome.kind === 'done') return { links: addressesIn(first.outcome.data['links']), hops: [first.hop] }
  const second = await tools.invoke('render2', 'map', { url: seed })
  const data = second.outcome.kind === 'done' ? second.outcome.data['data'] : undefined
  return { links: addressesIn((data as { links?: unknown } | undefined)?.links), hops: [first.hop, second.hop] }
}

/** The services list addresses, or objects that hold one. */
function addressesIn(links: unknown): string[] {
  if (!Array.isArray(links)) return []
  return links.map((link: unknown) => (typeof link === 'object' && link !== null ? (link as { url?: unknown }).url : link)).filter((address) => typeof address === 'string')
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

function isWanted(page: string, include: readonly string[], exclude: readonly string[]): boolean {
  if (exclude.some((pattern) => matchesGlob(page, pattern))) return false
  return include.length === 0 || include.some((pattern) => matchesGlob(page, pattern))
}

/**
 * `*` stands for anything, and a pattern without it for a part of the address. A pattern may speak of the whole
 * address, of what follows "https://", or of the path alone.
 */
export function matchesGlob(page: string, pattern: string): boolean {
  if (!pattern.includes('*')) return page.includes(pattern)
  const { href, protocol, pathname, search } = new URL(page)
  return [href, href.slice(protocol.length + 2), `${pathname}${search}`].some((text) => fits(text, pattern.split('*')))
}

/** Takes each part at its first place, which is enough: what lies between parts may be anything. */
function fits(text: string, parts: readonly string[]): boolean {
  const [head = '', ...rest] = parts
  const tail = rest.pop() ?? ''
  if (!text.startsWith(head) || !text.endsWith(tail)) return false
  let from = head.length
  for (const part of rest) {
    const place = text.indexOf(part, from)
    if (place < 0) return false
    from = place + part.length
  }
  return from <= text.length - tail.length
}
