import type { Database } from '../../db/database.ts'
import { AppError } from '../../errors/app-error.ts'
import type { Clock } from '../../lib/clock.ts'
import { isFields } from '../../lib/json-fields.ts'
import { cents } from '../../lib/money.ts'
import type { Pages } from '../../reader/create-pages.ts'
import type { ScrapeReply } from '../../reader/lanes/scraped-document.ts'
import { DATA_ROW, type Crawl, type CrawlPage, type Extraction } from '../crawls/crawl.ts'
import { listDocuments } from '../crawls/crawl-reads.ts'
import { toStoredJson, type StoredPage } from '../crawls/crawl-store.ts'
import type { HostPace } from '../crawls/host-pace.ts'
import type { ExtractData, Extracted, ExtractionRequest, PageText } from './extraction.ts'

type Deps = {
  readonly database: Database
  readonly now: Clock
  readonly pages: Pick<Pages, 'render2Scrape'>
  readonly pace: HostPace
  readonly extractData: ExtractData | null
}
type Job = { readonly crawl: Crawl; readonly extraction: Extraction }

/** The most that the model may cost: four fifths of the price of the launch. */
const MODEL_COST = { 'render/extract': cents('0.8'), 'render2/extract': cents('4') }
const PAGE_MS = 60_000
/** Bounds the stored text of a page. */
const MOST_PAGE_CHARS = 100_000

/**
 * Carries out one row of an extraction. `render2/extract` extracts each page by itself;
 * `render/extract` reads the pages and extracts once from all of them in its last row. Null if the
 * row has no result. Throws AppError as the readers and the schema check do.
 */
export async function extractPage(
  deps: Deps,
  job: Job,
  page: CrawlPage,
  signal: AbortSignal,
): Promise<StoredPage | null> {
  if (page.url === DATA_ROW) return extractFromAll(deps, job, signal)
  const read = await readText(deps, job.crawl, page, signal)
  if (job.crawl.service === 'render/extract')
    return typeof read === 'string' ? null : toStored(read)
  if (typeof read === 'string') return toStored({ url: page.url, status: 'failed', error: read })
  const cost = MODEL_COST['render2/extract'] / BigInt(job.extraction.urls.length)
  const found = await extractFrom(deps, job, [read], cost, signal)
  return toStored(
    found.kind === 'failed'
      ? { url: page.url, status: 'failed', error: found.reason }
      : { url: page.url, status: 'completed', ...toReply(found) },
  )
}

async function extractFromAll(
  deps: Deps,
  job: Job,
  signal: AbortSignal,
): Promise<StoredPage | null> {
  const { id } = job.crawl
  const limit = job.extraction.urls.length
  const documents = await listDocuments(deps.database, id, { skip: 0, limit })
  const pages = documents.filter(isFields).map(({ url, title, text }) => ({
    url: String(url),
    title: String(title),
    text: String(text),
  }))
  if (pages.length === 0) return toStored({ error: 'No page could be read.' })
  const found = await extractFrom(deps, job, pages, MODEL_COST['render/extract'], signal)
  return toStored(found.kind === 'failed' ? { error: found.reason } : toReply(found))
}

async function extractFrom(
  { extractData }: Deps,
  { crawl, extraction }: Job,
  pages: readonly PageText[],
  mostMicros: ExtractionRequest['mostMicros'],
  signal: AbortSignal,
): Promise<Extracted> {
  if (extractData === null)
    return { kind: 'failed', reason: 'This gateway no longer has a language model.' }
  const { mode, accountId } = crawl
  const visitor = { accountId, signal }
  return extractData({ wanted: extraction, pages, mostMicros, mode, visitor })
}

/** The text of a page, or why it was not read. */
async function readText(
  { pages, pace, now }: Deps,
  { accountId }: Crawl,
  { url }: CrawlPage,
  signal: AbortSignal,
): Promise<PageText | string> {
  await pace(new URL(url).host, signal)
  try {
    const reply = await pages.render2Scrape(
      { url, formats: ['markdown'] },
      { accountId, signal, timeoutMs: PAGE_MS, now },
    )
    return toPageText(reply, url)
  } catch (error) {
    if (
      error instanceof AppError &&
      (error.code === 'bad_url' || error.code === 'upstream_timeout')
    )
      return error.message
    throw error
  }
}

/** The text of a scraped page, or why it has none: nothing is extracted from a page without content. */
export function toPageText(reply: ScrapeReply, url: string): PageText | string {
  if (!reply.success) return reply.error
  const { markdown = '', metadata } = reply.data
  if (metadata.statusCode >= 400) return `The page returned status ${metadata.statusCode}.`
  if (markdown.trim() === '' || metadata.qualityFlags?.includes('thin_content') === true)
    return 'The page has no content.'
  return { url, title: metadata.title, text: markdown.slice(0, MOST_PAGE_CHARS) }
}

function toReply({ data, basis, isCut }: Extract<Extracted, { kind: 'data' }>) {
  return {
    data,
    ...(basis === undefined ? {} : { basis }),
    ...(isCut ? { warning: 'The language model read only the beginning of the text.' } : {}),
  }
}

function toStored(document: unknown): StoredPage {
  return { document: toStoredJson(document), links: [] }
}
