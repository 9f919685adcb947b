import { Type, type Static } from 'typebox'
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

/** Both ends of a job say what asking costs. */
const polled = { ...chargedOnResult, pollPrice: cents('1') }
const crawlFormats = ['markdown', 'html', 'rawHtml', 'plainText', 'links'] as const

export const crawl = call({
  summary: 'Start reading up to 100 pages of one website.',
  description:
    'Returns an `id`; ask render2/crawl_status with it until the status is `completed`. Charged when the crawl is taken.',
  keywords: ['crawl a website', 'spider', 'read a whole site', 'all pages', 'site to markdown'],
  input: params({
    url: pageAddress('Address to start from, http or https. Only pages of the same site are read.'),
    maxPages: whole('Maximum number of pages to read, 1 to 100.', 1, 100, { default: 100 }),
    maxDepth: whole('How many links deep to follow, 0 to 10.', 0, 10, { default: 2 }),
    formats: list('What to return of each page.', Type.Enum([...crawlFormats]), 5, {
      uniqueItems: true,
      default: ['markdown'],
    }),
    onlyMainContent: flag('Leaves out navigation, footers and other boilerplate.', {
      default: true,
    }),
    renderJs: optional(
      flag('true runs the scripts of the pages, false never does. Left out: when a page needs it.'),
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
  ownership: createdJob,
})

const poll = {
  price: flat(cents('1')),
  billing: polled,
  priceSource:
    'What a poll delivers is paid with the job; the poll itself at the price of a read page, 2026-08.',
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
  summary: 'Ask how far a crawl is, and get its pages once it is completed.',
  description:
    'Each poll costs one cent. A crawl that failed, or ended without a page, is shown and not charged.',
  keywords: ['crawl result', 'pages of a crawl', 'poll', 'crawl progress', 'is it done'],
  input: jobInput('render2/crawl'),
  example: { id: '0197a1b2-5c3d-7e4f-8a9b-0c1d2e3f4a5b' },
  request: ({ id }) => pollJob(`/v1/crawl/${id}`),
  reply: crawlStatusReply,
  outcome: ({ body }) => statusOutcome(body, body.status, body.data),
})

const extractInput = params(
  {
    urls: list(
      'Addresses of pages, 1 to 10.',
      Type.String({ minLength: 1, maxLength: 2_048 }),
      10,
      { uniqueItems: true },
    ),
    prompt: optional(text('What to take from the pages, in plain words.', 10_000)),
    schema: optional(openObject('JSON Schema of the data to take from each page.')),
    basis: flag(
      'Adds to each value the passage that it rests on. With a prompt alone the value is one field, `result`.',
      { default: false },
    ),
  },
  { anyOf: [{ required: ['prompt'] }, { required: ['schema'] }] },
)

type ExtractInput = Static<typeof extractInput>

function checkExtract({ urls }: ExtractInput, checkAddress: AddressCheck): void {
  urls.forEach((url, index) => requireWebAddress(url, `urls[${index}]`, checkAddress))
}

/** The vendor's basis rests on the fields of a schema: a prompt alone becomes the only field of one. */
function withBasis({ prompt, schema, ...rest }: Omit<ExtractInput, 'basis'>) {
  const fromPrompt = {
    type: 'object',
    properties: { result: { type: 'string', description: prompt } },
    required: ['result'],
  }
  return { ...rest, prompt, schema: schema ?? fromPrompt, basis: true }
}

export const extract = call({
  summary:
    'Start taking data out of up to ten pages, by a JSON Schema or a description in plain words.',
  description:
    'Returns an `id`; ask render2/extract_status with it until the status is `completed`. Charged when the job is taken.',
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
  priceSource: 'One vendor credit per page, and the language model as metered, 2026-08.',
  timeoutMs: 30_000,
  check: checkExtract,
  request: ({ basis, ...rest }) => ({
    ...post('/v1/extract', basis ? withBasis(rest) : rest),
    headers: { prefer: 'respond-async' },
  }),
  reply: launchReply,
  outcome: launchOutcome,
  ownership: createdJob,
})

const extractStatusReply = Type.Object({
  status: Type.String({ minLength: 1 }),
  results: Type.Optional(Type.Array(Type.Object({ data: Type.Optional(Type.Unknown()) }))),
})

export const extractStatus = call({
  ...poll,
  summary: 'Ask how far an extraction is, and get its data once it is completed.',
  description:
    'The data of each page stands in `results[].data`, in the order of the request. Each poll costs one cent; a job that failed, or found nothing, is shown and not charged.',
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
})
