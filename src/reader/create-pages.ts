import { join } from 'node:path'
import { withAddressParam, type AddressCheck } from '../catalog/validate/web-address.ts'
import { systemClock, type Clock } from '../lib/clock.ts'
import { createGuard, type Guard, type GuardSettings } from '../upstream/guard.ts'
import type { BrowserStatus } from './render/browser-instances.ts'
import { createBrowser } from './render/browser.ts'
import type { ContentFormat } from './extract/extract.ts'
import type { PageParts } from './extract/select-parts.ts'
import { createExtractionPool } from './extract/extraction-pool.ts'
import type { SlotUse, Visitor } from '../lib/fairness/fair-slots.ts'
import { createDocumentReader, type DocumentReader } from './document/read-document.ts'
import { createDocumentSandbox } from './document/sandbox.ts'
import { createDemoRecorder, type RecordDemo } from './video/record-demo.ts'
import { createSurveyor, type SurveyPages } from './video/survey-pages.ts'
import { createPageGetter, type PageGetter } from './fetch/get.ts'
import { createInlineFrames } from './fetch/inline-frames.ts'
import type { GetOptions } from './fetch/resource.ts'
import type { PageFields } from './embedded/page-fields.ts'
import type { Verdict } from './judge/judge.ts'
import {
  createAgenticExtract,
  createRagExtract,
  type AgenticExtractReply,
  type RagExtractReply,
} from './lanes/extract-pages.ts'
import { createCheapunblockScrape } from './lanes/cheapunblock-scrape.ts'
import {
  createRender2Map,
  createRenderMap,
  type MapReply,
  type Render2MapReply,
} from './lanes/render-map.ts'
import { createRenderScrape } from './lanes/render-scrape.ts'
import { createCrawlChecks, type CrawlChecks } from './lanes/crawl-checks.ts'
import { createRender2Scrape } from './lanes/render2-scrape.ts'
import type { ScrapeReply } from './lanes/scraped-document.ts'
import { createSemanticContents, type ContentsReply } from './lanes/semantic-contents.ts'
import type { LaneCall, LaneInput } from './lanes/lane-call.ts'
import { createProxiedPages, type ProxiedPages } from './proxied/proxied-pages.ts'
import { createProxiedReaders } from './proxied/proxied-readers.ts'
import type { EgressProxy } from '../upstream/proxies/egress-proxy.ts'
import { createSiteMapper } from './fetch/map.ts'
import { createRenderer } from './render/render.ts'

export type PagesSettings = {
  /** Private CIDR blocks that pages may be read from; for development and tests. */
  allowPrivateNetworks: readonly string[]
  /** Exact URLs of this gateway that may be read. */
  ownPages: readonly string[]
  userAgent: string
  respectRobots: boolean
  browserConcurrency: number
  extractionWorkers: number
  /** Documents read at the same time. Default: 1. */
  documentWorkers?: number | undefined
  /** The folder where the browser is unpacked once for all processes. */
  cacheFolder: string
  /**
   * Renders pages without the browser sandbox where the system provides none; otherwise such a
   * system does not render.
   */
  allowUnsandboxedBrowser?: boolean | undefined
  /** The operator's Chromium, if set. */
  chromiumPath?: string | null | undefined
  /** The operator's ffmpeg program, if set. */
  ffmpegPath?: string | null | undefined
  /** Folders to search for ffmpeg and other programs: the environment's PATH. */
  searchPath?: string | undefined
  /** The operator's proxies, for the readers that use them. Default: none. */
  proxies?: readonly EgressProxy[] | undefined
  /** Resolves a host name to all its addresses. Default: the system's resolver. */
  lookup?: GuardSettings['lookup']
  now?: Clock | undefined
}

/** `status` is the page's own; 200 if unknown. */
export type RawPage = {
  html: string
  url: string
  format: ContentFormat
  mainContent: boolean
  status?: number
  contentType?: string
  parts?: PageParts | undefined
  includesLinks?: boolean
  hiddenMark?: string
}
export type ExtractedPage = {
  title: string | null
  content: string
  format: ContentFormat
  chars: number
  fields: PageFields
  /** Only if requested. */
  links?: string[] | undefined
  verdict: Verdict
}

/** In-house page reading for lanes and composites. */
export type Pages = CrawlChecks & {
  semanticContents(input: LaneInput, call: LaneCall): Promise<ContentsReply>
  ragExtract(input: LaneInput, call: LaneCall): Promise<RagExtractReply>
  agenticExtract(input: LaneInput, call: LaneCall): Promise<AgenticExtractReply>
  renderScrape(input: LaneInput, call: LaneCall): Promise<ScrapeReply>
  renderMap(input: LaneInput, call: LaneCall): Promise<MapReply>
  render2Scrape(input: LaneInput, call: LaneCall): Promise<ScrapeReply>
  render2Map(input: LaneInput, call: LaneCall): Promise<Render2MapReply>
  cheapunblockScrape(input: LaneInput, call: LaneCall): Promise<string>
  /** Readers that use the operator's proxies. */
  readonly proxied: ProxiedPages
  /**
   * Throws AppError `bad_url` for an address that no lane here reads, or that no external service
   * may receive. Checks only the address.
   */
  checkAddress: AddressCheck
  /** Extracts and judges a page fetched elsewhere. Throws as the extraction pool does. */
  extract(raw: RawPage, visitor: Visitor): Promise<ExtractedPage>
  readDocument: DocumentReader
  recordDemo: RecordDemo
  surveyPages: SurveyPages
  /** Whether the browser is available. It starts with the first page that needs it. */
  browserStatus(): BrowserStatus
  /** Open browser pages and waiting visitors. */
  browserUse(): SlotUse
  close(): Promise<void>
}

function addressCheckOf(guard: Guard): Pages['checkAddress'] {
  return (address, param, fetcher) => {
    try {
      if (fetcher === 'service') guard.checkHost(address)
      else guard.checkUrl(address)
    } catch (error) {
      throw withAddressParam(error, param)
    }
  }
}

/** Extracts in the pool's processes. */
function extractIn(pool: Pick<ReturnType<typeof createExtractionPool>, 'run'>): Pages['extract'] {
  return async (raw, visitor) => {
    const { title, content, format, chars, fields, links, verdict } = await pool.run(
      { ...raw, status: raw.status ?? 200 },
      visitor,
    )
    return { title, content, format, chars, fields, links, verdict }
  }
}

export function createPages(settings: PagesSettings): Pages {
  const now = settings.now ?? systemClock
  const guard = createGuard({
    allowPrivateNetworks: settings.allowPrivateNetworks,
    ownPages: settings.ownPages,
    lookup: settings.lookup,
  })
  const { userAgent, respectRobots, browserConcurrency: concurrency, cacheFolder } = settings
  const getter = createPageGetter({ guard, userAgent, respectRobots, now })
  const pool = createExtractionPool({ workers: settings.extractionWorkers })
  const sandbox = createDocumentSandbox({ workers: settings.documentWorkers ?? 1 })
  const extract = extractIn(pool)
  const browser = createBrowser({
    guard,
    userAgent,
    concurrency,
    cacheFolder,
    searchPath: settings.searchPath ?? '',
    chromiumPath: settings.chromiumPath,
    allowUnsandboxed: settings.allowUnsandboxedBrowser,
    now,
  })
  const rendering = { browser, guard, now, ...createPageChecks(getter, respectRobots) }
  const render = createRenderer(rendering)
  const renderScrape = createRenderScrape({ render, extract })
  const inlineFrames = createInlineFrames({ getter, isOwnPage: guard.isOwnPage })
  const reading = { getter, pool, inlineFrames }
  const render2Scrape = createRender2Scrape({
    getter,
    inlineFrames,
    extract,
    inBrowser: renderScrape,
  })
  const proxiedReaders = createProxiedReaders(settings.proxies ?? [], {
    guard: settings,
    browser,
    extract,
    userAgent,
    respectRobots,
    now,
  })
  const mapSite = createSiteMapper({ getter, now })
  return {
    semanticContents: createSemanticContents(reading),
    ragExtract: createRagExtract(reading),
    agenticExtract: createAgenticExtract(reading),
    renderScrape,
    renderMap: createRenderMap({ mapSite }),
    render2Scrape,
    render2Map: createRender2Map({ mapSite }),
    ...createCrawlChecks(getter),
    cheapunblockScrape: createCheapunblockScrape(render2Scrape),
    proxied: createProxiedPages(proxiedReaders, render2Scrape),
    checkAddress: addressCheckOf(guard),
    extract,
    readDocument: createDocumentReader({ getter, sandbox, now }),
    recordDemo: createDemoRecorder({
      ...rendering,
      ffmpeg: { path: settings.ffmpegPath ?? null, searchPath: settings.searchPath ?? '' },
      folder: join(cacheFolder, 'recordings'),
      maxConcurrentVideos: Math.max(1, Math.floor((concurrency * 2) / 3)),
    }),
    surveyPages: createSurveyor(rendering),
    browserStatus: () => browser.status(),
    browserUse: () => browser.use(),
    async close() {
      await Promise.all([browser.close(), pool.close(), sandbox.close()])
      await proxiedReaders.close()
      await guard.close()
    },
  }
}

/** The checks of the renderer that need other requests than the browser's. */
function createPageChecks(getter: PageGetter, respectRobots: boolean) {
  const mayRead = async (url: URL, options: GetOptions) =>
    (await getter.robots(url, options)).isAllowed(`${url.pathname}${url.search}`)
  return { mayRead: respectRobots ? mayRead : undefined, isCut: getter.isCut }
}
