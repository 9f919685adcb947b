import { Type, type Static } from '../../lib/schema.ts'
import { AppError } from '../../errors/app-error.ts'
import { cents } from '../../lib/money.ts'
import { call, params } from '../../catalog/vocabulary/define.ts'
import { done, type Outcome } from '../../catalog/vocabulary/outcome.ts'
import { flat } from '../../catalog/vocabulary/tariff.ts'
import { post, type Reply, type WireRequest } from '../../catalog/vocabulary/wire.ts'
import {
  countryCode,
  flag,
  list,
  openObject,
  optional,
  pageAddress,
  whole,
} from '../../catalog/vocabulary/fields.ts'
import { documentMiss, documentReply, screenshotField } from '../../catalog/answers/page-reply.ts'
import { rejectInHouse } from '../shared/in-house-pages.ts'
import { requireWebAddress, type AddressCheck } from '../../catalog/validate/web-address.ts'

const FORMATS = ['markdown', 'html', 'rawHtml', 'plainText', 'links', 'screenshot', 'json'] as const
const scrapeInput = params({
  url: pageAddress(),
  formats: list('Output formats. Format json requires jsonSchema.', Type.Enum(FORMATS), 7, {
    uniqueItems: true,
    default: ['markdown'],
  }),
  onlyMainContent: flag('Removes navigation, footers and other boilerplate.', { default: true }),
  renderJs: optional(
    flag(
      "true always runs the page's scripts, false never. If omitted, only when the page needs it.",
    ),
  ),
  waitFor: whole('Milliseconds to wait after the page has loaded, at most 60000.', 0, 60_000, {
    default: 0,
  }),
  stealth: flag('Uses a slower browser that is harder to detect.', { default: false }),
  country: optional(countryCode('Country to read from, as a two-letter code such as "de".')),
  jsonSchema: optional(openObject('JSON Schema of the data to extract. Requires format json.')),
})
type ScrapeInput = Static<typeof scrapeInput>

function checkScrape(
  { url, formats, jsonSchema, renderJs }: ScrapeInput,
  checkAddress: AddressCheck,
): void {
  requireWebAddress(url, 'url', checkAddress)
  if (formats.includes('json') && jsonSchema === undefined) {
    throw new AppError('invalid_params', 'Format "json" requires "jsonSchema".', {
      param: 'jsonSchema',
      fix: 'Add "jsonSchema", the JSON Schema of the data that you want.',
    })
  }
  if (formats.includes('screenshot') && renderJs === false) {
    throw new AppError(
      'invalid_params',
      'A screenshot requires a browser, but "renderJs" is false.',
      {
        param: 'renderJs',
        fix: 'Remove "renderJs" or the format "screenshot".',
      },
    )
  }
}

const DEFAULT_DEADLINE_MS = 20_000
const MAX_DEADLINE_MS = 60_000

function scrapeRequest({ country, jsonSchema, formats, ...rest }: ScrapeInput): WireRequest {
  return post('/v1/scrape', {
    ...rest,
    formats: jsonSchema === undefined || formats.includes('json') ? formats : [...formats, 'json'],
    jsonSchema,
    country: country?.toLowerCase(),
    // The vendor's default of 8 seconds is too short with a wait or for the slower browser.
    deadlineMs: rest.stealth
      ? MAX_DEADLINE_MS
      : Math.min(MAX_DEADLINE_MS, rest.waitFor + DEFAULT_DEADLINE_MS),
  })
}

/** The gateway's own readers have one place and one browser. */
function checkInHouse({ stealth, country }: ScrapeInput): void {
  rejectInHouse('stealth', stealth ? true : undefined)
  rejectInHouse('country', country)
}

/** With status 200, `success: false` means that the page failed or showed a wall. */
function scrapeOutcome(
  { body }: Reply<Static<typeof documentReply>>,
  { formats, jsonSchema }: ScrapeInput,
): Outcome {
  return documentMiss(body, jsonSchema === undefined ? formats : [...formats, 'json']) ?? done(body)
}

export const scrape = call({
  title: 'Read a page fast',
  summary:
    'Read one page as markdown, HTML, links, a screenshot or data in your schema, with or without running its scripts.',
  description:
    'Decides automatically whether a page needs a browser. `stealth` and `country` help with pages that block visitors. The gateway stores a screenshot among your files: `data.screenshot` is a link for an hour, `kept_files` names the file. A page with an error status or a bot wall is not charged.',
  keywords: ['web scraping', 'stealth browser', 'structured extraction', 'page to markdown', 'geo'],
  input: scrapeInput,
  example: { url: 'https://example.com/', formats: ['markdown', 'links'] },
  price: flat(cents('1')),
  priceSource: 'One vendor credit per page, 2026-08.',
  timeoutMs: 75_000,
  untrustedContent: true,
  check: checkScrape,
  request: scrapeRequest,
  reply: documentReply,
  outcome: scrapeOutcome,
  fileFields: [screenshotField('data.screenshot')],
  inHouse: 'render2.scrape',
  inHouseCheck: checkInHouse,
  isInHouseForCallsOnly: true,
})
