import { Type, type Static } from '../../lib/schema.ts'
import { AppError } from '../../errors/app-error.ts'
import { cents } from '../../lib/money.ts'
import { defineService, local, params } from '../../catalog/vocabulary/define.ts'
import { flat } from '../../catalog/vocabulary/tariff.ts'
import {
  choice,
  countryCode,
  flag,
  list,
  optional,
  pageAddress,
  whole,
} from '../../catalog/vocabulary/fields.ts'
import { screenshotField } from '../../catalog/answers/page-reply.ts'
import { requireWebAddress, type AddressCheck } from '../../catalog/validate/web-address.ts'
import { returns } from './returns.ts'

const FORMATS = ['markdown', 'html', 'links', 'screenshot'] as const
const scrapeInput = params({
  url: pageAddress(),
  formats: list('What to return.', Type.Enum(FORMATS), 4, {
    uniqueItems: true,
    default: ['markdown'],
  }),
  only_main_content: flag('Leaves out navigation, footers and other boilerplate.', {
    default: true,
  }),
  wait_for: whole('Milliseconds to wait after the page has loaded, at most 60000.', 0, 60_000, {
    default: 0,
  }),
  render_js: optional(
    flag('true runs the scripts of the page, false does not. Only with render2.'),
  ),
  stealth: optional(flag('Uses a browser that sites detect less often. Only with render2.')),
  proxy_country: optional(
    countryCode('Country to read from, as a two-letter code. Only with render2.'),
  ),
  provider: optional(
    choice('Uses only this reader. Default: render2, then render.', ['render2', 'render']),
  ),
})
export type ScrapingInput = Static<typeof scrapeInput>

/** Parameters that only render2 supports. With any of them the call does not use render. */
const RENDER2_ONLY = ['render_js', 'stealth', 'proxy_country'] as const

function checkScrape(input: ScrapingInput, checkAddress: AddressCheck): void {
  requireWebAddress(input.url, 'url', checkAddress)
  const named = RENDER2_ONLY.find((name) => input[name] !== undefined)
  if (input.provider === 'render' && named !== undefined) {
    throw new AppError('invalid_params', `Provider "render" does not support "${named}".`, {
      param: named,
      fix: `Leave out "${named}", or set "provider" to "render2".`,
    })
  }
  if (input.formats.includes('screenshot') && input.render_js === false) {
    throw new AppError(
      'invalid_params',
      'A screenshot needs a browser, and "render_js": false turns it off.',
      {
        param: 'render_js',
        fix: 'Leave out "render_js", or the format "screenshot".',
      },
    )
  }
}

export const service = defineService({
  id: 'scraping',
  title: 'Read a page with whichever reader works',
  category: 'scraping',
  returns,
  actions: {
    scrape: local({
      title: 'Read a page with automatic fallback',
      summary: 'Read one page: tries the fast reader first, then a full browser, and charges once.',
      description:
        'The answer has the same form for both readers; `provider` names the reader used. A screenshot is stored among your files: `screenshot` is a link for an hour, `kept_files` names the file. An unreadable page is not charged.',
      keywords: ['web scraping', 'page to markdown', 'read url', 'fetch page', 'javascript page'],
      input: scrapeInput,
      example: { url: 'https://example.com/', formats: ['markdown'] },
      price: flat(cents('1')),
      priceSource: 'The price of either reader, 2026-08.',
      timeoutMs: 220_000,
      untrustedContent: true,
      check: checkScrape,
      handler: 'scraping.scrape',
      uses: ['render2/scrape', 'render/scrape'],
      fileFields: [screenshotField('screenshot')],
    }),
  },
})
