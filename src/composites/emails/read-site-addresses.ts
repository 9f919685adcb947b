import { AppError } from '../../errors/app-error.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Slots } from '../../lib/fairness/fair-slots.ts'
import { RecentMap } from '../../lib/recent-map.ts'
import type { Pages } from '../../reader/create-pages.ts'
import type { ScrapedDocument } from '../../reader/lanes/scraped-document.ts'
import type { Pause } from './provider-limits.ts'
import { chooseContactPages } from './contact-pages.ts'
import { findPublishedAddresses } from './published-addresses.ts'

/** An address with the pages of the site that publish it. */
export type PublishedAddress = { readonly email: string; readonly pages: readonly string[] }

export type SiteAddresses = {
  readonly addresses: readonly PublishedAddress[]
  /** When the pages were read, in Unix milliseconds. */
  readonly readMs: number
}

export type SiteReaderDeps = {
  readonly pages: Pick<Pages, 'render2Scrape' | 'mayCrawl'>
  readonly now: Clock
  readonly pause: Pause
  readonly slots: Slots
  /** The time of a page and of the whole site. */
  readonly readTimes: { readonly pageMs: number; readonly siteMs: number }
  /** The addresses of the home page to try, in this order. */
  readonly homePages: (domain: string) => readonly string[]
}

/** Reads the pages of a domain that usually name addresses. */
export type ReadSiteAddresses = (
  domain: string,
  visitor: { readonly accountId: string; readonly signal: AbortSignal },
) => Promise<SiteAddresses>

const MAX_PAGES = 8
const SPACING_MS = 500
const MAX_ADDRESSES = 200
const MAX_SITES = 500
const SITE_LIFE_MS = 60 * 60_000

/**
 * Respects robots.txt, and remembers a site for an hour. Rejects with AppError `no_results` if the
 * home page cannot be read, and with the errors of a gateway without capacity.
 */
export function createSiteReader(deps: SiteReaderDeps): ReadSiteAddresses {
  const { now, slots } = deps
  const known = new RecentMap<string, SiteAddresses>(MAX_SITES)
  return async (domain, { accountId, signal: ended }) => {
    const site = known.get(domain)
    if (site !== undefined && now() - site.readMs < SITE_LIFE_MS) return site
    const leave = await slots.take({ accountId, signal: ended })
    try {
      const signal = AbortSignal.any([ended, AbortSignal.timeout(deps.readTimes.siteMs)])
      const read = await readSite(deps, domain, { accountId, signal })
      // Otherwise half of a site would be the answer to other accounts for an hour.
      if (!ended.aborted) known.set(domain, read)
      return read
    } finally {
      leave()
    }
  }
}

type Visit = { readonly accountId: string; readonly signal: AbortSignal }

async function readSite(
  deps: SiteReaderDeps,
  domain: string,
  visit: Visit,
): Promise<SiteAddresses> {
  const readMs = deps.now()
  const home = await readHome(deps, domain, visit)
  const found = new Map<string, string[]>()
  const collect = ({ rawHtml = '', metadata: { url } }: ScrapedDocument): void => {
    for (const email of findPublishedAddresses(rawHtml, domain)) {
      const pages = found.get(email) ?? []
      if (found.size < MAX_ADDRESSES || pages.length > 0) found.set(email, [...pages, url])
    }
  }
  collect(home)
  for (const url of chooseContactPages(home.links ?? [], home.metadata.url, MAX_PAGES - 1)) {
    if (visit.signal.aborted) break
    await deps.pause(SPACING_MS, visit.signal).catch(() => undefined)
    const page = await readPage(deps, url, visit)
    if (page !== null) collect(page)
  }
  return {
    addresses: [...found].map(([email, pages]) => ({ email, pages: [...new Set(pages)] })),
    readMs,
  }
}

async function readHome(
  deps: SiteReaderDeps,
  domain: string,
  visit: Visit,
): Promise<ScrapedDocument> {
  for (const url of deps.homePages(domain)) {
    const page = await readPage(deps, url, visit)
    if (page !== null) return page
  }
  throw new AppError(
    'no_results',
    `The website of ${domain} cannot be read, or its robots.txt forbids it. Nothing was charged.`,
  )
}

/** Errors of a gateway without capacity. They end the search. */
const BUSY = new Set(['overloaded', 'rate_limited', 'shutting_down'])

/** Null for a page that cannot or may not be read. */
async function readPage(
  { pages, now, readTimes }: SiteReaderDeps,
  url: string,
  { accountId, signal }: Visit,
): Promise<ScrapedDocument | null> {
  const call = { accountId, signal, timeoutMs: readTimes.pageMs, now }
  try {
    if (!(await pages.mayCrawl(new URL(url), call))) return null
    const reply = await pages.render2Scrape(
      { url, formats: ['rawHtml', 'links'], onlyMainContent: false, renderJs: false },
      call,
    )
    if (!reply.success || reply.data.metadata.statusCode >= 400) return null
    const { url: finalUrl } = reply.data.metadata
    // The page may have redirected to one that robots.txt forbids.
    return finalUrl === url || (await pages.mayCrawl(new URL(finalUrl), call)) ? reply.data : null
  } catch (error) {
    if (error instanceof AppError && !BUSY.has(error.code)) return null
    if (signal.aborted) return null
    throw error
  }
}
