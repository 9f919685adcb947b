import { Type, type Static } from '../../lib/schema.ts'
import { AppError } from '../../errors/app-error.ts'
import { cents } from '../../lib/money.ts'
import { countryName } from '../shared/country-names.ts'
import { call, defineService, params } from '../../catalog/vocabulary/define.ts'
import { tempoMerchant } from '../../catalog/vocabulary/merchant.ts'
import { failed, type Outcome } from '../../catalog/vocabulary/outcome.ts'
import { post, type Reply, type Vendor } from '../../catalog/vocabulary/wire.ts'
import { choice, optional, pageAddress, text } from '../../catalog/vocabulary/fields.ts'
import { contentMiss, pageText } from '../../catalog/answers/page-reply.ts'
import { field, vendorFailure } from '../../catalog/answers/vendor-failure.ts'
import { requireWebAddress, type AddressCheck } from '../../catalog/validate/web-address.ts'
import { returns } from './returns.ts'

const oxylabs: Vendor = {
  baseUrl: 'https://realtime.oxylabs.io/v1',
  auth: { in: 'basic', user: 'USERNAME', password: 'PASSWORD' },
  docsUrl:
    'https://developers.oxylabs.io/scraping-solutions/web-scraper-api/integration-methods/realtime',
  // 612 means that the job failed at the target.
  readFailure: (reply) =>
    vendorFailure(reply, {
      code:
        reply.status === 612 ? 'no_results' : reply.status === 524 ? 'upstream_timeout' : undefined,
      message: field(reply.body, 'message'),
    }),
}

const scrapeInput = params({
  url: pageAddress(),
  geo_location: optional(
    text(
      'Location to read from: a two-letter code such as "de", or a place such as "Germany".',
      100,
    ),
  ),
  render: optional(choice('"html" runs the page\'s scripts in a browser.', ['html'])),
})
type ScrapeInput = Static<typeof scrapeInput>

/** The vendor accepts place names. Two letters are a country code. */
function placeOf(location: string): string | undefined {
  return location.length === 2 ? countryName(location) : location
}

function checkScrape(
  { url, geo_location: location }: ScrapeInput,
  checkAddress: AddressCheck,
): void {
  requireWebAddress(url, 'url', checkAddress)
  if (location !== undefined && placeOf(location) === undefined)
    throw new AppError('invalid_params', `"${location}" is not a country code.`, {
      param: 'geo_location',
      fix: 'Send a two-letter code such as "de", or a name such as "Germany".',
    })
}

const LEAST = cents('1')

const scrapeReply = Type.Object({
  results: Type.Array(
    Type.Object({
      content: Type.Optional(Type.Unknown()),
      status_code: Type.Optional(Type.Integer()),
    }),
  ),
})

/** The vendor's own statuses for a failed job, unlike those of pages. */
const FAULTED = new Set([612, 613])

/**
 * The reply contains no price. Under the operator's own key a page costs the smallest whole price.
 */
function scrapeOutcome({ body }: Reply<Static<typeof scrapeReply>>): Outcome {
  const [page] = body.results
  const status = page?.status_code
  if (page === undefined || (status !== undefined && FAULTED.has(status)))
    return failed('no_results', 'The page could not be read from that location.')
  return (
    contentMiss(pageText(page.content), 'html', status) ?? {
      kind: 'done',
      data: body,
      actual: LEAST,
    }
  )
}

export const service = defineService({
  id: 'geoegress',
  title: 'Read pages from a chosen country',
  category: 'scraping',
  vendor: oxylabs,
  returns,
  actions: {
    scrape: call({
      title: 'Read a page from a chosen country',
      summary: 'Read one page as visitors from a chosen country or place see it.',
      description:
        "For pages with different content or no access abroad. Holds the cap and charges the vendor's actual price, at least one cent. A page that fails is free.",
      keywords: [
        'geo block',
        'country',
        'localized page',
        'regional prices',
        'ip of another country',
        'as seen from another country',
        'foreign visitor',
        'proxy',
        'vpn',
      ],
      input: scrapeInput,
      example: { url: 'https://example.com/', geo_location: 'de' },
      price: { kind: 'actual', cap: cents('25') },
      leastCharge: LEAST,
      priceSource:
        "The vendor's price per result by plan, about 0.1¢ to 0.2¢ without a browser, 2026-06.",
      timeoutMs: 180_000,
      untrustedContent: true,
      check: checkScrape,
      request: ({ url, geo_location: location, render }) =>
        post('/queries', {
          source: 'universal',
          url,
          geo_location: location === undefined ? undefined : placeOf(location),
          render,
        }),
      merchant: {
        at: tempoMerchant('https://oxylabs.mpp.tempo.xyz'),
        request: ({ url, geo_location: location, render }) =>
          post('/v1/proxy', {
            url,
            geo_location: location === undefined ? undefined : placeOf(location),
            render,
          }),
      },
      reply: scrapeReply,
      outcome: scrapeOutcome,
      inHouse: 'geoegress.scrape',
      inHousePart: 'readers',
      inHouseNeedsProxy: 'any',
    }),
  },
})
