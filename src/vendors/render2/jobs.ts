import { Type, type Static } from '../../lib/schema.ts'
import { cents } from '../../lib/money.ts'
import { call, params } from '../../catalog/vocabulary/define.ts'
import {
  pollJob,
  targetJob,
  jobInput,
  createdJob,
  launchOutcome,
  launchReply,
  statusOutcome,
} from '../shared/page-jobs.ts'
import { chargedOnResult, flat } from '../../catalog/vocabulary/tariff.ts'
import { post } from '../../catalog/vocabulary/wire.ts'
import {
  flag,
  list,
  openObject,
  optional,
  pageAddress,
  text,
  whole,
} from '../../catalog/vocabulary/fields.ts'
import { requireWebAddress, type AddressCheck } from '../../catalog/validate/web-address.ts'

/** Both the launch and the status action publish the price of a poll. */
const polled = { ...chargedOnResult, pollPrice: cents('1') }
const crawlFormats = ['markdown', 'html', 'rawHtml', 'plainText', 'links'] as const

export const crawl = call({
  title: 'Crawl a website fast',
  summary: 'Start to read up to 100 pages of a website.',
  description:
    'Returns an `id`. Poll render2/crawl_status with it until the status is `completed`. Charged when the vendor accepts the crawl.',
  keywords: ['crawl a website', 'spider', 'read a whole site', 'all pages', 'site to markdown'],
  input: params({
    url: pageAddress('URL to start from (http or https). Only pages of the same site are read.'),
    maxPages: whole('Maximum number of pages to read, 1 to 100.', 1, 100, { default: 100 }),
    maxDepth: whole('Maximum link depth, 0 to 10.', 0, 10, { default: 2 }),
    formats: list('Output formats of each page.', Type.Enum([...crawlFormats]), 5, {
      uniqueItems: true,
      default: ['markdown'],
    }),
    onlyMainContent: flag('Removes navigation, footers and other boilerplate.', {
      default: true,
    }),
    renderJs: optional(
      flag(
        "true always runs the pages' scripts, false never. If omitted, only when a page needs it.",
      ),
    ),
    waitFor: optional(whole('Milliseconds to wait after each page has loaded.', 0, 60_000)),
  }),
  example: { url: 'https://example.com/', maxPages: 10 },
  price: flat(cents('10')),
  billing: polled,
  priceSource: 'One vendor credit at the start and one per page, 2026-08.',
  timeoutMs: 30_000,
  check: ({ url }, checkAddress) => requireWebAddress(url, 'url', checkAddress),
  request: (input) => post('/v1/crawl', input),
  reply: launchReply,
  outcome: launchOutcome,
  inHouse: 'render2.crawl',
  ownership: createdJob,
})

const poll = {
  price: flat(cents('1')),
  billing: polled,
  priceSource:
    "The job's price includes the pages. A poll costs the price of a page read, 2026-08.",
  timeoutMs: 30_000,
  untrustedContent: true,
  ownership: targetJob,
} as const

const crawlStatusReply = Type.Object({
  status: Type.String({ minLength: 1 }),
  data: Type.Optional(Type.Array(Type.Unknown())),
})

export const crawlStatus = call({
  ...poll,
  title: 'Fast crawl status and pages',
  summary: 'Get the status of a crawl, and its pages once it is completed.',
  description:
    'Each poll costs one cent. A crawl that failed or ended without a page is returned but not charged.',
  keywords: ['crawl result', 'pages of a crawl', 'poll', 'crawl progress', 'is it done'],
  input: jobInput('render2/crawl'),
  example: { id: '0197a1b2-5c3d-7e4f-8a9b-0c1d2e3f4a5b' },
  request: ({ id }) => pollJob(`/v1/crawl/${id}`),
  reply: crawlStatusReply,
  outcome: ({ body }) => statusOutcome(body, body.status, body.data),
  inHouse: 'render2.crawl_status',
})

const extractInput = params(
  {
    urls: list('URLs of 1 to 10 pages.', Type.String({ minLength: 1, maxLength: 2_048 }), 10, {
      uniqueItems: true,
    }),
    prompt: optional(text('The data to extract, in plain words.', 10_000)),
    schema: optional(openObject('JSON Schema of the data to extract from each page.')),
    basis: flag(
      'Adds the supporting passage to each value. With only a prompt, the value is in one field, `result`.',
      { default: false },
    ),
  },
  { anyOf: [{ required: ['prompt'] }, { required: ['schema'] }] },
)

type ExtractInput = Static<typeof extractInput>

function checkExtract({ urls }: ExtractInput, checkAddress: AddressCheck): void {
  urls.forEach((url, index) => requireWebAddress(url, `urls[${index}]`, checkAddress))
}

/**
 * The vendor supports `basis` only for fields of a schema, so a prompt alone becomes a schema with
 * one field.
 */
function withBasis({ prompt, schema, ...rest }: Omit<ExtractInput, 'basis'>) {
  const fromPrompt = {
    type: 'object',
    properties: { result: { type: 'string', description: prompt } },
    required: ['result'],
  }
  return { ...rest, prompt, schema: schema ?? fromPrompt, basis: true }
}

export const extract = call({
  title: 'Extract structured data from pages',
  summary:
    'Start to extract data from up to ten pages, by a JSON Schema or a description in plain words.',
  description:
    'Returns an `id`. Poll render2/extract_status with it until the status is `completed`. Charged when the vendor accepts the job.',
  keywords: [
    'structured extraction',
    'ai scraper',
    'json from pages',
    'schema',
    'evidence for each field',
  ],
  input: extractInput,
  example: {
    urls: ['https://example.com/'],
    prompt: 'What does the page offer, and at what price?',
  },
  price: flat(cents('5')),
  billing: polled,
  priceSource: 'One vendor credit per page, plus the metered language model, 2026-08.',
  timeoutMs: 30_000,
  check: checkExtract,
  request: ({ basis, ...rest }) => ({
    ...post('/v1/extract', basis ? withBasis(rest) : rest),
    headers: { prefer: 'respond-async' },
  }),
  reply: launchReply,
  outcome: launchOutcome,
  inHouse: 'render2.extract',
  inHouseNeedsModel: true,
  ownership: createdJob,
})

const extractStatusReply = Type.Object({
  status: Type.String({ minLength: 1 }),
  results: Type.Optional(Type.Array(Type.Object({ data: Type.Optional(Type.Unknown()) }))),
})

export const extractStatus = call({
  ...poll,
  title: 'Structured extraction status',
  summary: 'Get the status of an extraction, and its data once it is completed.',
  description:
    '`results[].data` contains the data of each page, in the order of the request. Each poll costs one cent. A job that failed or found nothing is returned but not charged.',
  keywords: ['extraction result', 'poll', 'extraction progress', 'is it done'],
  input: jobInput('render2/extract'),
  example: { id: '0197a1b2-5c3d-7e4f-8a9b-0c1d2e3f4a5b' },
  request: ({ id }) => pollJob(`/v1/extract/${id}`),
  reply: extractStatusReply,
  outcome: ({ body }) =>
    statusOutcome(
      body,
      body.status,
      (body.results ?? []).filter(({ data }) => data !== undefined && data !== null),
    ),
  inHouse: 'render2.extract_status',
})
