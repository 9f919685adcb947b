import { setImmediate } from 'node:timers/promises'
import { AppError } from '../../errors/app-error.ts'
import type { Clock } from '../../lib/clock.ts'
import { namesView } from './view-fragment.ts'
import type { PageGetter } from './get.ts'
import type { GetOptions, Page } from './resource.ts'
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
/**
 * Lists a site's pages: its start page, its sitemaps, and the links of its pages if the sitemaps
 * list too few.
 */
export type MapSite = (request: MapRequest) => Promise<SiteMap | PageFailure>

const MAX_MAP_MS = 45_000
const REQUEST_TIMEOUT_MS = 15_000
const MAX_SITEMAPS = 50
const MAX_PAGES_READ = 40
const MAX_TOTAL_BYTES = 64 * 1024 * 1024
const CONCURRENCY = 4
const PAGES_AT_A_TIME = 100
/** A search collects up to this many pages and filters them at the end. */
const MAX_COLLECTED = 20_000
/** A sitemap with fewer pages does not cover the site. */
const ENOUGH_SITEMAP_PAGES = 10
const USUAL_SITEMAPS = ['/sitemap.xml', '/sitemap_index.xml', '/sitemap-index.xml']
/** After these failures the host is not contacted again. */
const FINAL_REASONS: ReadonlySet<string> = new Set([
  'dns',
  'refused',
  'tls',
  'blocked_address',
  'bad_url',
  'robots',
  'aborted',
])

/** The remaining time and bytes of one map. */
type Budget = { readonly options: GetOptions; spend(bytes: number): void; isSpent(): boolean }

export function createSiteMapper({ getter, now }: { getter: PageGetter; now: Clock }): MapSite {
  return async ({ url, search, limit, timeoutMs, signal }) => {
    const maxLinks = search === undefined ? limit : MAX_COLLECTED
    const budget = createBudget(Math.min(timeoutMs, MAX_MAP_MS), signal, now)
    const start = await getter.page(url, budget.options)
    if (start.kind === 'failed' && FINAL_REASONS.has(start.reason)) return start
    const site = new URL(start.finalUrl ?? url)
    const collection = createLinkCollection(site, maxLinks)
    const isFull = () => collection.size >= maxLinks || budget.isSpent()
    const links = start.kind === 'page' ? addPage(start, collection, budget) : []
    await readSitemaps(getter, site, collection, budget, isFull)
    const hasEnough = collection.size > ENOUGH_SITEMAP_PAGES
    for (const link of links) collection.add(link)
    const unread = collection.list(undefined, MAX_PAGES_READ).slice(start.kind === 'page' ? 1 : 0)
    if (!hasEnough)
      await readPages(
        getter,
        // A request without scripts returns the first view only.
        unread.map((link) => link.url).filter((link) => !namesView(link)),
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

/** Adds a fetched page to the collection and returns its links to pages of the same site. */
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
    const batch = wave.slice(0, Math.min(CONCURRENCY, MAX_SITEMAPS - read))
    read += batch.length
    const nested = await mapConcurrently(batch, CONCURRENCY, (address) =>
      readSitemap(getter, address, collection, budget),
    )
    const fresh = [...new Set(nested.flat())]
      .filter((address) => !seen.has(address))
      .slice(0, MAX_SITEMAPS)
    for (const address of fresh) seen.add(address)
    wave = [...wave.slice(batch.length), ...fresh]
  }
}

/**
 * Adds the pages of one sitemap and returns the sitemaps it lists; an unreadable one lists none.
 */
async function readSitemap(
  getter: PageGetter,
  address: string,
  collection: LinkCollection,
  budget: Budget,
): Promise<string[]> {
  const file = await getter.resource(address, budget.options)
  if (file.kind === 'failed') return []
  // Many sites respond to every URL with their start page.
  if (
    file.contentType === 'text/html' &&
    !/<(urlset|sitemapindex)\b/.test(file.body.subarray(0, 2_000).toString('latin1'))
  )
    return []
  const text = await unpackSitemap(file.body)
  budget.spend(file.body.length + text.length)
  const { pages, sitemaps } = parseSitemap(text)
  for (const [place, { url, title }] of pages.entries()) {
    // Lets other calls run.
    if (place % PAGES_AT_A_TIME === 0) await setImmediate()
    const page = URL.parse(url, file.finalUrl)
    if (page !== null) collection.add(page.href, { title })
  }
  return sitemaps.flatMap((nested) => URL.parse(nested, file.finalUrl)?.href ?? [])
}

/** Follows the links of listed pages, one level deep. */
async function readPages(
  getter: PageGetter,
  addresses: readonly string[],
  collection: LinkCollection,
  budget: Budget,
  isFull: () => boolean,
): Promise<void> {
  await mapConcurrently(addresses, CONCURRENCY, async (address) => {
    if (isFull()) return
    const page = await getter.page(address, budget.options)
    if (page.kind === 'page' && collection.isOfSite(page.finalUrl)) {
      for (const link of addPage(page, collection, budget)) collection.add(link)
    } else if (page.kind === 'failed' && (page.status === 404 || page.status === 410)) {
      collection.remove(address)
    }
  })
}
