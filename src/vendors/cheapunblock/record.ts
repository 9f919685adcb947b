import { Type, type Static } from '../../lib/schema.ts'
import { cents } from '../../lib/money.ts'
import { call, defineService, params } from '../../catalog/vocabulary/define.ts'
import { done, type Outcome } from '../../catalog/vocabulary/outcome.ts'
import { flat } from '../../catalog/vocabulary/tariff.ts'
import { get, keyQuery, type Reply, type Vendor } from '../../catalog/vocabulary/wire.ts'
import {
  choice,
  countryCode,
  flag,
  optional,
  pageAddress,
} from '../../catalog/vocabulary/fields.ts'
import {
  contentMiss,
  isPageStatus,
  pageText,
  parseStatus,
} from '../../catalog/answers/page-reply.ts'
import { asText, field, vendorFailure } from '../../catalog/answers/vendor-failure.ts'
import { requireWebAddress } from '../../catalog/validate/web-address.ts'
import { rejectInHouse } from '../shared/in-house-pages.ts'
import { returns } from './returns.ts'

const scrapeDo: Vendor = {
  baseUrl: 'https://api.scrape.do',
  auth: keyQuery('token'),
  docsUrl: 'https://scrape.do/documentation/',
  readFailure: (reply) => {
    const stated = field(reply.body, 'Message')
    const message = Array.isArray(stated) ? stated.join(' ') : stated
    return vendorFailure(reply, {
      code: isPageStatus(reply, statusOf(reply.headers))
        ? 'no_results'
        : mapVendorCode(reply.status, message),
      message,
      isOfPage: true,
    })
  },
}

/**
 * The vendor passes on a page's own 404, returns 502 if no attempt succeeded, and returns 401 also
 * when the month's requests are used up.
 */
function mapVendorCode(
  status: number,
  message: unknown,
): 'no_results' | 'upstream_payment' | undefined {
  if (status === 404 || status === 410 || status === 502) return 'no_results'
  return status === 401 && /credit|limit|suspend|subscription/i.test(asText(message))
    ? 'upstream_payment'
    : undefined
}

const scrapeInput = params({
  url: pageAddress(),
  country: optional(countryCode('Country to read from, as a two-letter code such as "us".')),
  render: flag("Runs the page's scripts in a browser.", { default: false }),
  format: choice('Output format; html is the unchanged page.', ['markdown', 'html'], {
    default: 'markdown',
  }),
})
type ScrapeInput = Static<typeof scrapeInput>

/** The page's own status, if the vendor fetched the page. */
function statusOf(headers: Reply['headers']): number | undefined {
  return parseStatus(headers['scrape.do-initial-status-code'])
}

/** The body is the page itself. Headers contain its final URL and its status. */
function scrapeOutcome({ body, headers }: Reply, { url, format }: ScrapeInput): Outcome {
  const content = pageText(body)
  const statusCode = statusOf(headers) ?? 200
  const finalUrl = headers['scrape.do-resolved-url'] ?? null
  return (
    contentMiss(content, format, statusCode) ??
    done({ url, final_url: finalUrl, status_code: statusCode, [format]: content })
  )
}

export const service = defineService({
  id: 'cheapunblock',
  title: 'Read pages that block simple readers',
  category: 'scraping',
  vendor: scrapeDo,
  returns,
  actions: {
    scrape: call({
      title: 'Read a page through residential addresses',
      summary: 'Read one page through residential addresses, for sites that block simple readers.',
      description:
        'Cheaper than the unblockers and stronger than a plain browser. Charged only if the page was read.',
      keywords: [
        'unblock',
        'bypass block',
        'residential proxy',
        'anti-bot',
        'captcha wall',
        'cloudflare',
      ],
      input: scrapeInput,
      example: { url: 'https://example.com/', format: 'markdown' },
      price: flat(cents('1')),
      priceSource: '10 to 25 vendor credits per page, about 0.2¢ to 0.5¢, 2026-04.',
      timeoutMs: 90_000,
      untrustedContent: true,
      check: ({ url }, checkAddress) => requireWebAddress(url, 'url', checkAddress),
      // `super` is the vendor's name for residential addresses, the purpose of this service.
      request: ({ url, country, render, format }) => ({
        ...get('/', {
          url,
          super: true,
          render: render ? true : undefined,
          geoCode: country?.toLowerCase(),
          output: format === 'html' ? 'raw' : 'markdown',
        }),
        page: true,
      }),
      reply: Type.Unknown(),
      outcome: scrapeOutcome,
      inHouse: 'cheapunblock.scrape',
      inHouseCheck: ({ country }) => rejectInHouse('country', country),
      isInHouseForCallsOnly: true,
    }),
  },
})
