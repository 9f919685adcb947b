import type { Database } from '../../db/database.ts'
import { AppError } from '../../errors/app-error.ts'
import type { Clock } from '../../lib/clock.ts'
import { newId, type Id } from '../../lib/ids.ts'
import type { Pages } from '../../reader/create-pages.ts'
import type { ScrapeReply } from '../../reader/lanes/scraped-document.ts'
import type { Crawl, CrawlPage } from './crawl.ts'
import { linksToFollow } from './crawl-links.ts'
import {
  beginPage,
  claimCrawls,
  endCrawl,
  failPage,
  isCrawlDone,
  renewCrawls,
  returnPage,
  storePage,
  tallyCrawl,
  toStoredJson,
  yieldCrawls,
  type CrawlTally,
  type StoredPage,
} from './crawl-store.ts'
import type { ExtractData } from '../extraction/extraction.ts'
import { extractPage } from '../extraction/extract-page.ts'
import { hasData } from './crawl-reads.ts'
import type { HostPace, Pause } from './host-pace.ts'

export type CrawlWorkerDeps = {
  readonly database: Database
  readonly now: Clock
  readonly pages: Pick<Pages, 'renderScrape' | 'render2Scrape' | 'mayCrawl'>
  /** Null on a gateway without a language model: extractions fail. */
  readonly extractData: ExtractData | null
  readonly pace: HostPace
  readonly pause: Pause
  /** Concurrent crawls of this process. */
  readonly concurrency: number
  readonly onError: (error: unknown, crawlId?: Id) => void
}
export type CrawlWorker = {
  /** Renews leases and claims crawls. Call it every BEAT_MS. */
  beat(): Promise<void>
  /** Stops reading and leaves the crawls to other workers. */
  stop(): Promise<void>
}

const PAGE_MS = 60_000
const ROBOTS_MS = 10_000
const BUSY_PAUSE_MS = 2_000
/** Answers of a gateway without capacity. The page is read later. */
const BUSY = new Set(['overloaded', 'rate_limited', 'shutting_down'])

/** Reads the pages of crawls one after another, each page stored before the next one begins. */
export function createCrawlWorker(deps: CrawlWorkerDeps): CrawlWorker {
  const { database, now, concurrency, onError } = deps
  const worker = newId(now())
  const active = new Map<Id, { readonly lost: AbortController; readonly work: Promise<void> }>()
  let isStopping = false

  async function run(crawl: Crawl, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const tally = await tallyCrawl(database, crawl.id)
      if (isCrawlDone(tally, crawl.input) || now() >= crawl.deadlineMs)
        return endCrawl(database, worker, crawl.id, await hasResult(database, crawl, tally))
      const page = await beginPage(database, worker, crawl.id)
      if (page !== null) await readPage(deps, worker, crawl, page, signal)
      // Another worker holds the crawl, or its last pages were given up.
      else if (!(await renewCrawls(database, worker, [crawl.id], now())).has(crawl.id)) return
    }
  }

  async function renew(): Promise<void> {
    const ids = [...active.keys()]
    if (ids.length === 0) return
    const held = await renewCrawls(database, worker, ids, now())
    for (const id of ids) if (!held.has(id)) active.get(id)?.lost.abort()
  }

  return {
    async beat() {
      await renew()
      const capacity = isStopping ? 0 : concurrency - active.size
      if (capacity <= 0) return
      for (const crawl of await claimCrawls(database, worker, capacity, now())) {
        const lost = new AbortController()
        const work = run(crawl, lost.signal)
          // The lease expires and another worker continues.
          .catch((error: unknown) => (lost.signal.aborted ? undefined : onError(error, crawl.id)))
          .finally(() => active.delete(crawl.id))
        active.set(crawl.id, { lost, work })
      }
    },
    async stop() {
      isStopping = true
      const ids = [...active.keys()]
      const work = [...active.values()].map(({ lost, work: running }) => {
        lost.abort(new AppError('shutting_down'))
        return running
      })
      await Promise.all(work)
      if (ids.length > 0) await yieldCrawls(database, worker, ids)
    },
  }
}

async function hasResult(
  database: Database,
  { id, input }: Crawl,
  { read }: CrawlTally,
): Promise<boolean> {
  return input.extraction === undefined ? read > 0 : hasData(database, id)
}

async function readPage(
  deps: CrawlWorkerDeps,
  worker: Id,
  crawl: Crawl,
  page: CrawlPage,
  signal: AbortSignal,
): Promise<void> {
  const { database, pause } = deps
  try {
    const found =
      crawl.input.extraction === undefined
        ? await crawlPage(deps, crawl, page, signal)
        : await extractPage(deps, { crawl, extraction: crawl.input.extraction }, page, signal)
    if (found === null) return await failPage(database, worker, crawl.id, page.place)
    await storePage(database, worker, crawl, page, found)
  } catch (error) {
    if (signal.aborted) return await returnPage(database, worker, crawl.id, page.place)
    if (!(error instanceof AppError)) throw error
    if (!BUSY.has(error.code)) return await failPage(database, worker, crawl.id, page.place)
    await returnPage(database, worker, crawl.id, page.place)
    await pause(BUSY_PAUSE_MS, signal).catch(() => undefined)
  }
}

/** The document and the links of a page; null if it may not be read or was not read. */
async function crawlPage(
  { now, pages, pace }: CrawlWorkerDeps,
  crawl: Crawl,
  page: CrawlPage,
  signal: AbortSignal,
): Promise<StoredPage | null> {
  const { input, accountId, service } = crawl
  const url = new URL(page.url)
  if (!(await pages.mayCrawl(url, { signal, timeoutMs: ROBOTS_MS }))) return null
  await pace(url.host, signal)
  const read = service === 'render' ? pages.renderScrape : pages.render2Scrape
  const reply = await read(
    { ...input, url: page.url, formats: [...new Set([...input.formats, 'links'])] },
    { accountId, signal, timeoutMs: PAGE_MS, now },
  )
  return toDocument(reply, crawl, page)
}

/** Null for a page that was not read or left the site. */
function toDocument(reply: ScrapeReply, { input }: Crawl, { depth }: CrawlPage): StoredPage | null {
  if (!reply.success || reply.data.metadata.statusCode >= 400) return null
  const { links = [], ...rest } = reply.data
  const document = input.formats.includes('links') ? { ...rest, links } : rest
  const isOnSite = linksToFollow([reply.data.metadata.url], input.url).length > 0
  if (!isOnSite && depth > 0) return null
  return {
    document: toStoredJson(document),
    links: depth >= input.maxDepth ? [] : linksToFollow(links, input.url),
  }
}
