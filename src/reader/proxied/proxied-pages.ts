import { AppError } from '../../errors/app-error.ts'
import type { LaneCall, LaneInput } from '../lanes/lane-call.ts'
import type { ScrapedDocument } from '../lanes/scraped-document.ts'
import type { ProxyKind, ProxyWish } from './choose-proxy.ts'
import type { ProxiedReaders, Scrape } from './proxied-readers.ts'

/** The page readers of `proxy`, `geoegress` and `unblock`, in the reply shapes of the vendors. */
export type ProxiedPages = {
  /** The HTML of the page. */
  proxyScrape(input: LaneInput, call: LaneCall): Promise<string>
  proxyScrapeResidential(input: LaneInput, call: LaneCall): Promise<string>
  proxyMarkdown(input: LaneInput, call: LaneCall): Promise<{ url: string; markdown: string }>
  geoegressScrape(input: LaneInput, call: LaneCall): Promise<Record<string, unknown>>
  unblock(input: LaneInput, call: LaneCall): Promise<Record<string, unknown>>
}

/**
 * Every reader throws AppError `no_results` for a page that was not read, `invalid_params` for a
 * country without a proxy, and what the readers throw.
 */
export function createProxiedPages(readers: ProxiedReaders, direct: Scrape): ProxiedPages {
  const proxyPage = async (
    kind: ProxyKind,
    format: 'rawHtml' | 'markdown',
    input: LaneInput,
    call: LaneCall,
  ) => {
    const scrape = readers.readerFor(wishOf([kind], input['proxy_country'], 'proxy_country'))
    if (scrape === null) throw withoutProxy(kind)
    const timeoutMs = Math.min(call.timeoutMs, Number(input['timeout'] ?? 60) * 1000)
    const needsBrowser = input['browser'] !== false && input['return_page_source'] !== true
    const selector = input['wait_for_selector']
    return read(
      scrape,
      {
        url: input['url'],
        formats: [format],
        onlyMainContent: false,
        renderJs: needsBrowser,
        ...(selector === undefined ? {} : { waitForSelector: selector }),
      },
      { ...call, timeoutMs },
    )
  }
  return {
    proxyScrape: async (input, call) =>
      (await proxyPage('datacenter', 'rawHtml', input, call)).rawHtml ?? '',
    proxyScrapeResidential: async (input, call) =>
      (await proxyPage('residential', 'rawHtml', input, call)).rawHtml ?? '',
    async proxyMarkdown(input, call) {
      const { markdown = '', metadata } = await proxyPage('datacenter', 'markdown', input, call)
      return { url: metadata.url, markdown }
    },
    async geoegressScrape(input, call) {
      const scrape = readers.readerFor(
        wishOf(['datacenter', 'residential'], input['geo_location'], 'geo_location'),
      )
      if (scrape === null) throw withoutProxy('datacenter')
      const { rawHtml = '', metadata } = await read(
        scrape,
        {
          url: input['url'],
          formats: ['rawHtml'],
          onlyMainContent: false,
          renderJs: input['render'] === 'html',
        },
        call,
      )
      return {
        results: [{ content: rawHtml, status_code: metadata.statusCode, url: metadata.url }],
      }
    },
    async unblock(input, call) {
      const scrape =
        readers.readerFor(wishOf(['residential', 'datacenter'], input['country'], 'country')) ??
        direct
      const format = input['format'] === 'html' ? 'rawHtml' : 'markdown'
      const { rawHtml, markdown, metadata } = await read(
        scrape,
        { url: input['url'], formats: [format], onlyMainContent: false },
        call,
      )
      return { status_code: metadata.statusCode, headers: {}, body: rawHtml ?? markdown ?? '' }
    },
  }
}

function wishOf(kinds: readonly ProxyKind[], country: unknown, param: string): ProxyWish {
  return { kinds, param, country: typeof country === 'string' ? country : undefined }
}

async function read(scrape: Scrape, input: LaneInput, call: LaneCall): Promise<ScrapedDocument> {
  const reply = await scrape(input, call)
  const status = reply.success ? reply.data.metadata.statusCode : 0
  if (!reply.success || status >= 400)
    throw new AppError(
      'no_results',
      `${reply.success ? `The page returned status ${status}.` : reply.error} Nothing was charged.`,
    )
  return reply.data
}

function withoutProxy(kind: ProxyKind): AppError {
  return new AppError(
    'upstream_not_configured',
    `This gateway has no ${kind} proxy. Nothing was charged.`,
    { fix: 'The operator of this gateway can add one with EGRESS_PROXIES.' },
  )
}
