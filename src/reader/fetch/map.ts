import { setImmediate } from 'node:timers/promises'
import { AppError } from '../../errors/app-error.ts'
import type { Clock } from '../../lib/clock.ts'
import type { GetOptions, Page, PageGetter } from './get.ts'
import { mapConcurrently } from '../lanes/lane-call.ts'
import { createLinkCollection, type LinkCollection, type MappedLink } from './map-collection.ts'
import { readPageLinks } from './map-links.ts'
import type { PageFailure } from './page-failure.ts'
import { parseSitemap, unpackSitemap } from './sitemap.ts'

export type MapRequest = {
  url: string
  search?: string | undefined
  limit: number
  timeoutMs: number
  signal: AbortSignal
}
export type SiteMap = { kind: 'mapped'; links: MappedLink[] }
/** Lists the pages of a site: its start page, its sitemaps, and where those say little, the links of its pages. */
export type MapSite = (request: MapRequest) => Promise<SiteMap | PageFailure>

const MAX_MAP_MS = 45_000
const REQUEST_TIMEOUT_MS = 15_000
const MAX_SITEMAPS = 50
const MAX_PAGES_READ = 40
const MAX_TOTAL_BYTES = 64 * 1024 * 1024
const AT_ONCE = 4
const PAGES_AT_A_TIME = 100
/** With a search, all pages count until the end; then it picks from these. */
const MAX_KEPT = 20_000
/** A sitemap with fewer pages is not what the site consists of. */
const TELLING_PAGES = 10
const USUAL_SITEMAPS = ['/sitemap.xml', '/sitemap_index.xml', '/sitemap-index.xml']
/** After these there is nobody to ask further. */
const FINAL_REASONS: ReadonlySet<string> = new Set([
  'dns',
  'refused',
  'tls',
  'blocked_address',
  'bad_url',
  'robots',
  'aborted',
])

/** What is left of the bounds of one map. */
type Budget = { readonly options: GetOptions; spend(bytes: number): void; isSpent(): boolean }

export function createSiteMapper({ getter, now }: { getter: PageGetter; now: Clock }): MapSite {
  return async ({ url, search, limit, timeoutMs, signal }) => {
    const maxKept = search === undefined ? limit : MAX_KEPT
    const budget = createBudget(Math.min(timeoutMs, MAX_MAP_MS), signal, now)
    const start = await getter.page(url, budget.options)
    if (start.kind === 'failed' && FINAL_REASONS.has(start.reason)) return start
    const site = new URL(start.finalUrl ?? url)
    const collection = createLinkCollection(site, maxKept)
    const isFull = () => collection.size >= maxKept || budget.isSpent()
    const links = start.kind === 'page' ? addPage(start, collection, budget) : []
    await readSitemaps(getter, site, collection, budget, isFull)
    const isTold = collection.size > TELLING_PAGES
    for (const link of links) collection.add(link)
    const unread = collection.list(undefined, MAX_PAGES_READ).slice(start.kind === 'page' ? 1 : 0)
    if (!isTold)
      await readPages(
        getter,
        unread.map((link) => link.url),
        collection,
        budget,
        isFull,
      )
    if (signal.aborted) throw new AppError('upstream_timeout')
    return start.kind === 'failed' && collection.size === 0
      ? start
      : { kind: 'mapped', links: collection.list(search, limit) }
  }
}

function createBudget(timeMs: number, signal: AbortSignal, now: Clock): Budget {
  const endMs = now() + timeMs
  let bytes = 0
  return {
    options: {
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeMs)]),
      timeoutMs: Math.min(REQUEST_TIMEOUT_MS, timeMs),
    },
    spend(more) {
      bytes += more
    },
    isSpent: () => signal.aborted || now() >= endMs || bytes >= MAX_TOTAL_BYTES,
  }
}

/** Takes a page that was read into the collection and gives its links to pages of the same site. */
function addPage(page: Page, collection: LinkCollection, budget: Budget): string[] {
  budget.spend(page.bytes)
  const { title, description, links } = readPageLinks(page.html, page.finalUrl)
  collection.add(page.finalUrl, { title, description })
  return links.filter((link) => collection.isOfSite(link))
}

async function readSitemaps(
  getter: PageGetter,
  site: URL,
  collection: LinkCollection,
  budget: Budget,
  isFull: () => boolean,
): Promise<void> {
  const { sitemaps } = await getter.robots(site, budget.options)
  const listed = sitemaps.flatMap((address) => URL.parse(address, site.origin)?.href ?? [])
  const seen = new Set(
    listed.length > 0 ? listed : USUAL_SITEMAPS.map((path) => new URL(path, site.origin).href),
  )
  let wave = [...seen]
  for (let read = 0; wave.length > 0 && read < MAX_SITEMAPS && !isFull();) {
    const batch = wave.slice(0, Math.min(AT_ONCE, MAX_SITEMAPS - read))
    read += batch.length
    const nested = await mapConcurrently(batch, AT_ONCE, (address) =>
      readSitemap(getter, address, collection, budget),
    )
    const fresh = [...new Set(nested.flat())]
      .filter((address) => !seen.has(address))
      .slice(0, MAX_SITEMAPS)
    for (const address of fresh) seen.add(address)
    wave = [...wave.slice(batch.length), ...fresh]
  }
}

/** Adds the pages of one sitemap and gives the sitemaps that it names. One that cannot be read names none. */
async function readSitemap(
  getter: PageGetter,
  address: string,
  collection: LinkCollection,
  budget: Budget,
): Promise<string[]> {
  const file = await getter.resource(address, budget.options)
  if (file.kind === 'failed') return []
  // Many sites answer every address with their start page.
  if (
    file.contentType === 'text/html' &&
    !/<(urlset|sitemapindex)\b/.test(file.body.subarray(0, 2_000).toString('latin1'))
  )
    return []
  const text = await unpackSitemap(file.body)
  budget.spend(file.body.length + text.length)
  const { pages, sitemaps } = parseSitemap(text)
  for (const [place, { url, title }] of pages.entries()) {
    // Other calls wait meanwhile.
    if (place % PAGES_AT_A_TIME === 0) await setImmediate()
    const page = URL.parse(url, file.finalUrl)
    if (page !== null) collection.add(page.href, { title })
  }
  return sitemaps.flatMap((nested) => URL.parse(nested, file.finalUrl)?.href ?? [])
}

/** Breadth first, one step beyond the start page. */
async function readPages(
  getter: PageGetter,
  addresses: readonly string[],
  collection: LinkCollection,
  budget: Budget,
  isFull: () => boolean,
): Promise<void> {
  await mapConcurrently(addresses, AT_ONCE, async (address) => {
    if (isFull()) return
    const page = await getter.page(address, budget.options)
    if (page.kind === 'page' && collection.isOfSite(page.finalUrl)) {
      for (const link of addPage(page, collection, budget)) collection.add(link)
    } else if (page.kind === 'failed' && (page.status === 404 || page.status === 410)) {
      collection.remove(address)
    }
  })
}
