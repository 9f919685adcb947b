import { Type, type Static, type TSchema } from '../../lib/schema.ts'
import { AppError } from '../../errors/app-error.ts'
import type { ErrorCode } from '../../errors/catalog.ts'
import { cents, type Micros } from '../../lib/money.ts'
import type { ProxyNeed } from '../../catalog/vocabulary/action.ts'
import { call, defineService, params } from '../../catalog/vocabulary/define.ts'
import { done, failed, type Outcome } from '../../catalog/vocabulary/outcome.ts'
import { flat } from '../../catalog/vocabulary/tariff.ts'
import {
  get,
  keyHeader,
  type QueryValue,
  type Reply,
  type Vendor,
  type WireRequest,
} from '../../catalog/vocabulary/wire.ts'
import {
  countryCode,
  flag,
  optional,
  pageAddress,
  text,
  whole,
} from '../../catalog/vocabulary/fields.ts'
import { isFilled } from '../../catalog/answers/filled.ts'
import {
  contentMiss,
  isPageStatus,
  pageText,
  parseStatus,
} from '../../catalog/answers/page-reply.ts'
import { textField, vendorFailure } from '../../catalog/answers/vendor-failure.ts'
import { requireWebAddress, type AddressCheck } from '../../catalog/validate/web-address.ts'
import { rejectInHouse } from '../shared/in-house-pages.ts'
import { returns } from './returns.ts'

const scrapingAnt: Vendor = {
  baseUrl: 'https://api.scrapingant.com/v2',
  auth: keyHeader('x-api-key'),
  docsUrl: 'https://docs.scrapingant.com/request-response-format',
  readFailure: (reply) => {
    const message = textField(reply.body, 'detail')
    const isOfPage = isPageStatus(reply, statusOf(reply.headers))
    return vendorFailure(reply, {
      code: isOfPage ? 'no_results' : mapVendorCode(reply.status, message),
      message,
      isOfPage,
    })
  },
}

/**
 * 403 also means used-up credit, 404 an unreachable target, 423 a target that detected the reader.
 */
function mapVendorCode(status: number, message: string): ErrorCode | undefined {
  if (status === 404 || status === 423) return 'no_results'
  return status === 403 && /credit|limit|subscription/i.test(message)
    ? 'upstream_payment'
    : undefined
}

const readerFields = {
  url: pageAddress(),
  browser: flag('Reads the page in a browser and runs its scripts.', { default: true }),
  wait_for_selector: optional(
    text('CSS selector of an element to wait for. Requires the browser.', 500),
  ),
  js_snippet: optional(
    text('JavaScript to run in the page, encoded as base64. Requires the browser.', 20_000, {
      pattern: '^[A-Za-z0-9+/]+={0,2}$',
    }),
  ),
  proxy_country: optional(countryCode('Country to read from, as a two-letter code such as "us".')),
  timeout: whole('Maximum duration in seconds, 5 to 60.', 5, 60, {
    default: 60,
  }),
  cookies: optional(text('Cookies to send, such as "a=1;b=2".', 4_000)),
  return_page_source: flag(
    'Returns the page as the server sent it, before its scripts ran. Requires the browser.',
    { default: false },
  ),
}
const readerInput = params(readerFields)
const extractInput = params({
  ...readerFields,
  extract_properties: text(
    'The properties to extract, in plain words, such as "title, price(number), reviews(list: author, text)".',
    2_000,
  ),
})
type ReaderInput = Static<typeof readerInput>

function checkReader(input: ReaderInput, checkAddress: AddressCheck): void {
  requireWebAddress(input.url, 'url', checkAddress)
  if (input.browser) return
  for (const name of ['wait_for_selector', 'js_snippet', 'return_page_source'] as const) {
    if (input[name] !== undefined && input[name] !== false)
      throw new AppError(
        'invalid_params',
        `"${name}" requires the browser, but "browser" is false.`,
        { param: name, fix: `Remove "${name}" or "browser".` },
      )
  }
}

const PAGE_ITSELF = '/general'

function pageRequest(
  path: string,
  proxyType: 'datacenter' | 'residential',
  { proxy_country, return_page_source, ...rest }: ReaderInput,
): WireRequest {
  const query: Record<string, QueryValue> = {
    ...rest,
    proxy_type: proxyType,
    proxy_country: proxy_country?.toLowerCase(),
  }
  const request = get(path, return_page_source ? { ...query, return_page_source } : query)
  return path === PAGE_ITSELF ? { ...request, page: true } : request
}

/** The vendor reports the page's own status in a header, if it knows it. */
function statusOf(headers: Reply['headers']): number | undefined {
  return parseStatus(headers['ant-page-status-code'])
}

function rawOutcome({ body, headers }: Reply): Outcome {
  const raw = pageText(body)
  return contentMiss(raw, 'html', statusOf(headers)) ?? done({ raw })
}

const markdownReply = Type.Object({ markdown: Type.String() })

function markdownOutcome({ body, headers }: Reply<Static<typeof markdownReply>>): Outcome {
  return contentMiss(body.markdown, 'markdown', statusOf(headers)) ?? done(body)
}

const extractReply = Type.Record(Type.String(), Type.Unknown())

/**
 * Properties that the page does not have are empty. An answer with only empty properties is a miss.
 */
function extractOutcome({ body }: Reply<Static<typeof extractReply>>): Outcome {
  const found = Object.values(body).some(
    (value) => isFilled(value) || typeof value === 'number' || typeof value === 'boolean',
  )
  return found ? done(body) : failed('no_results', 'The page contains no requested property.')
}

const CREDITS = 'at about $0.19 per 1000 credits, 2026-11'

/** The common parts of all readers of this vendor. */
function reader<R extends TSchema>(spec: {
  title: string
  summary: string
  description: string
  keywords: readonly string[]
  amount: Micros
  priceSource: string
  path: string
  proxyType?: 'residential'
  reply: R
  outcome: (reply: Reply<Static<R>>) => Outcome
}) {
  const { amount, path, proxyType = 'datacenter', ...texts } = spec
  return {
    ...texts,
    price: flat(amount),
    timeoutMs: proxyType === 'residential' ? 120_000 : 75_000,
    untrustedContent: true,
    check: checkReader,
    request: (input: ReaderInput) => pageRequest(path, proxyType, input),
  }
}

/** A reader of the gateway through the operator's proxies. */
function inHouseReader(inHouse: string, inHouseNeedsProxy: ProxyNeed) {
  return {
    inHouse,
    inHousePart: 'readers',
    inHouseNeedsProxy,
    inHouseCheck: ({ js_snippet, cookies }: ReaderInput) => {
      rejectInHouse('js_snippet', js_snippet)
      rejectInHouse('cookies', cookies)
    },
  }
}

const example = { url: 'https://example.com/', wait_for_selector: 'h1', timeout: 30 }
const ONE_AT_A_TIME =
  'Under load the vendor returns 409: send such calls again, one after the other.'

export const service = defineService({
  id: 'proxy',
  title: 'Read pages through proxies, with a browser',
  category: 'scraping',
  vendor: scrapingAnt,
  returns,
  actions: {
    scrape: call({
      ...reader({
        title: 'Page HTML through a proxy',
        summary: 'Read the HTML of one page through a datacenter proxy, optionally in a browser.',
        description: `Returns the page as \`raw\`. A page that fails or shows a bot wall is not charged. ${ONE_AT_A_TIME}`,
        keywords: ['proxy scraping', 'html of a page', 'run javascript', 'cookies', 'country'],
        amount: cents('1'),
        priceSource: `Ten vendor credits with the browser, one without, ${CREDITS}.`,
        path: PAGE_ITSELF,
        reply: Type.Unknown(),
        outcome: rawOutcome,
      }),
      input: readerInput,
      example,
      ...inHouseReader('proxy.scrape', 'datacenter'),
    }),
    markdown: call({
      ...reader({
        title: 'Page as Markdown through a proxy',
        summary: 'Read one page through a datacenter proxy as markdown.',
        description: `For language models. A page that fails or shows a bot wall is not charged. ${ONE_AT_A_TIME}`,
        keywords: ['page to markdown', 'proxy scraping', 'readable text'],
        amount: cents('1'),
        priceSource: `Ten vendor credits with the browser, one without, ${CREDITS}.`,
        path: '/markdown',
        reply: markdownReply,
        outcome: markdownOutcome,
      }),
      input: readerInput,
      example,
      ...inHouseReader('proxy.markdown', 'datacenter'),
    }),
    scrape_residential: call({
      ...reader({
        title: 'Page HTML through a residential proxy',
        summary:
          'Read the HTML of one page through a residential address, for sites that block datacenters.',
        description: `The last resort for blocked pages. Returns the page as \`raw\`. A page that fails or shows a bot wall is not charged. ${ONE_AT_A_TIME}`,
        keywords: ['residential proxy', 'blocked page', 'anti-bot', 'unblock'],
        amount: cents('4'),
        priceSource: `125 vendor credits with the browser, 25 without, ${CREDITS}.`,
        path: PAGE_ITSELF,
        proxyType: 'residential',
        reply: Type.Unknown(),
        outcome: rawOutcome,
      }),
      input: readerInput,
      example,
      ...inHouseReader('proxy.scrape_residential', 'residential'),
    }),
    extract: call({
      ...reader({
        title: 'Extract properties of a page',
        summary: 'Extract properties of one page, described in plain words, as JSON.',
        description: `A language model reads the page and fills in the properties. If it finds no property, nothing is charged. ${ONE_AT_A_TIME}`,
        keywords: [
          'structured extraction',
          'ai scraper',
          'extract fields',
          'product data',
          'json from a page',
        ],
        amount: cents('20'),
        priceSource: `One vendor credit per 30 characters of page and answer, in addition to the page, ${CREDITS}.`,
        path: '/extract',
        reply: extractReply,
        outcome: extractOutcome,
      }),
      input: extractInput,
      example: { ...example, extract_properties: 'title, price(number)' },
      ...inHouseReader('proxy.extract', 'datacenter'),
      inHouseNeedsModel: true,
    }),
  },
})
