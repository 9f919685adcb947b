import type { Mode } from '../../lib/mode.ts'
import type { Id } from '../../lib/ids.ts'
import type { Wanted } from '../extraction/extraction.ts'

/** The actions that the gateway does itself page by page: crawls by service, and extractions. */
export type CrawlService = 'render' | 'render2' | 'render/extract' | 'render2/extract'

export type CrawlInput = {
  readonly url: string
  readonly formats: readonly string[]
  readonly onlyMainContent: boolean
  readonly maxPages: number
  readonly maxDepth: number
  readonly renderJs?: boolean
  readonly waitFor?: number
  readonly extraction?: Extraction
}
/** The pages of an extraction, and the data wanted from them. No link is followed. */
export type Extraction = Wanted & { readonly urls: readonly string[] }
export type Crawl = {
  readonly id: Id
  readonly accountId: Id
  readonly mode: Mode
  readonly service: CrawlService
  readonly input: CrawlInput
  readonly deadlineMs: number
}
export type CrawlPage = {
  readonly place: number
  readonly url: string
  readonly depth: number
  /** 1 for the first worker that reads the page. */
  readonly attempts: number
}
export type CrawlStatus = 'scraping' | 'completed' | 'failed'

/** The last row of an extraction whose data come from all of its pages together. */
export const DATA_ROW = 'about:data'
/** Running crawls and extractions of one account and mode. */
export const MOST_CRAWLS = 5
export const CRAWL_MS = 30 * 60_000
/** Crawls and their pages are deleted after this time. */
export const CRAWL_RETENTION_MS = 7 * 24 * 3_600_000
export const LEASE_MS = 6_000
export const BEAT_MS = 2_000
/** A page that ends its worker is not read again and again. */
export const MAX_ATTEMPTS = 3
/** All documents of a crawl. */
export const MAX_CRAWL_BYTES = 32 * 1024 * 1024
/** Known pages, read or not, as a multiple of the page budget. */
export const FRONTIER_FACTOR = 10
