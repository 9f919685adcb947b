import { Type, type Static } from '../../lib/schema.ts'
import { cents } from '../../lib/money.ts'
import { call, defineService, params } from '../../catalog/vocabulary/define.ts'
import { done, failed, type Outcome } from '../../catalog/vocabulary/outcome.ts'
import { found } from '../shared/records.ts'
import { flat } from '../../catalog/vocabulary/tariff.ts'
import { bearer, post, type Reply, type Vendor } from '../../catalog/vocabulary/wire.ts'
import { flag, list, optional, pageAddress, text, whole } from '../../catalog/vocabulary/fields.ts'
import { documentMiss, documentReply, screenshotField } from '../../catalog/answers/page-reply.ts'
import { asText, field, vendorFailure } from '../../catalog/answers/vendor-failure.ts'
import { requireWebAddress } from '../../catalog/validate/web-address.ts'
import { extract, extractStatus } from './extract.ts'
import { crawl, crawlStatus } from './jobs.ts'
import { search } from './search.ts'
import { returns } from './returns.ts'

/** The vendor's codes for a fault of the page instead of the vendor. */
const PAGE_AT_FAULT = new Set([
  'SCRAPE_ALL_ENGINES_FAILED',
  'SCRAPE_DNS_RESOLUTION_ERROR',
  'SCRAPE_SSL_ERROR',
  'SCRAPE_SITE_ERROR',
  'SCRAPE_UNSUPPORTED_FILE_ERROR',
])

const firecrawl: Vendor = {
  baseUrl: 'https://api.firecrawl.dev/v2',
  auth: bearer(),
  docsUrl: 'https://docs.firecrawl.dev/api-reference/v2-introduction',
  readFailure: (reply) => {
    const vendorCode = field(reply.body, 'code')
    const message = field(reply.body, 'error')
    return vendorFailure(reply, {
      code: mapVendorCode(reply.status, vendorCode, message),
      vendorCode,
      message,
    })
  },
}

function mapVendorCode(
  status: number,
  vendorCode: unknown,
  message: unknown,
): 'no_results' | 'upstream_timeout' | 'upstream_rejected' | undefined {
  if (typeof vendorCode === 'string' && PAGE_AT_FAULT.has(vendorCode)) return 'no_results'
  if (vendorCode === 'SCRAPE_TIMEOUT') return 'upstream_timeout'
  // 403 also means a site that the vendor does not support.
  return status === 403 && /support/i.test(asText(message)) ? 'upstream_rejected' : undefined
}

const FORMATS = ['markdown', 'html', 'rawHtml', 'links', 'screenshot'] as const
const scrapeInput = params({
  url: pageAddress(),
  formats: list('Output formats; html is cleaned, rawHtml is not.', Type.Enum(FORMATS), 5, {
    uniqueItems: true,
    default: ['markdown'],
  }),
  onlyMainContent: flag('Removes navigation, footers and other boilerplate.', { default: true }),
  waitFor: whole('Milliseconds to wait after the page has loaded, at most 60000.', 0, 60_000, {
    default: 0,
  }),
})
type ScrapeInput = Static<typeof scrapeInput>

/** A page's own 403 or 404 is a success at the vendor and billed there. Here it is a miss. */
function scrapeOutcome(
  { body }: Reply<Static<typeof documentReply>>,
  { formats }: ScrapeInput,
): Outcome {
  return documentMiss(body, formats) ?? done(body)
}

/** The vendor requires a deadline of at least twice the wait. In milliseconds. */
function deadlineMs(waitFor: number): number {
  return Math.max(60_000, 2 * waitFor + 15_000)
}

const mapReply = Type.Object({
  success: Type.Boolean(),
  error: Type.Optional(Type.String()),
  links: Type.Optional(Type.Array(Type.Unknown())),
})

export const service = defineService({
  id: 'render',
  title: 'Read pages in a real browser',
  category: 'scraping',
  vendor: firecrawl,
  returns,
  actions: {
    scrape: call({
      title: 'Read a page in a real browser',
      summary:
        'Read one page in a real browser that runs its scripts, as markdown, HTML, links or a screenshot.',
      description:
        'For pages built with JavaScript. The gateway stores a screenshot among your files: `data.screenshot` is a link for an hour, `kept_files` names the file. A page with an error status or a bot wall is not charged.',
      keywords: [
        'javascript page',
        'headless browser',
        'web scraping',
        'single page app',
        'page to markdown',
        'screenshot of a page',
      ],
      input: scrapeInput,
      example: { url: 'https://example.com/', formats: ['markdown'] },
      price: flat(cents('1')),
      priceSource: 'One vendor credit per page, $0.0008 to $0.005 by plan, 2026-08.',
      timeoutMs: 140_000,
      untrustedContent: true,
      check: ({ url }, checkAddress) => requireWebAddress(url, 'url', checkAddress),
      request: (input) => post('/scrape', { ...input, timeout: deadlineMs(input.waitFor) }),
      reply: documentReply,
      outcome: scrapeOutcome,
      fileFields: [screenshotField('data.screenshot')],
      inHouse: 'render.scrape',
    }),
    map: call({
      title: 'List the pages of a website',
      summary: 'List the pages of a website.',
      description:
        'Reads the sitemap and follows links within the site. Returns URLs, with titles if known.',
      keywords: [
        'sitemap',
        'list urls',
        'site structure',
        'all pages of a site',
        'urls of a domain',
        'crawl links',
      ],
      input: params({
        url: pageAddress('URL of the site (http or https).'),
        search: optional(text('Only pages whose URL or title contains these words.', 500)),
        limit: whole('Maximum number of pages to list, 1 to 5000.', 1, 5_000, { default: 1_000 }),
      }),
      example: { url: 'https://example.com/', limit: 100 },
      price: flat(cents('1')),
      priceSource: 'One vendor credit per call, $0.0008 to $0.005 by plan, 2026-08.',
      timeoutMs: 75_000,
      untrustedContent: true,
      check: ({ url }, checkAddress) => requireWebAddress(url, 'url', checkAddress),
      request: (input) => post('/map', input),
      reply: mapReply,
      outcome: ({ body }) => {
        if (!body.success)
          return failed('no_results', body.error ?? 'The site could not be mapped.')
        return found(body, body.links ?? [])
      },
      inHouse: 'render.map',
    }),
    search,
    crawl,
    crawl_status: crawlStatus,
    extract,
    extract_status: extractStatus,
  },
})
