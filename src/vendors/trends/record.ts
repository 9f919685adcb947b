import { Type, type Static } from '../../lib/schema.ts'
import { AppError } from '../../errors/app-error.ts'
import { cents } from '../../lib/money.ts'
import {
  defineService,
  endpoint,
  type EndpointEntry,
  type EndpointParam,
} from '../../catalog/vocabulary/define.ts'
import { empty, failed, type Data, type Outcome } from '../../catalog/vocabulary/outcome.ts'
import { isFilled } from '../../catalog/answers/filled.ts'
import { asText, field, vendorFailure } from '../../catalog/answers/vendor-failure.ts'
import {
  get,
  keyQuery,
  type Reply,
  type Vendor,
  type WireRequest,
} from '../../catalog/vocabulary/wire.ts'
import { returns } from './returns.ts'

const serpApi: Vendor = {
  baseUrl: 'https://serpapi.com',
  auth: keyQuery('api_key'),
  docsUrl: 'https://serpapi.com/google-trends-api',
  readFailure: (reply) => {
    const message = field(reply.body, 'error')
    const spent =
      reply.status === 429 && typeof message === 'string' && /run out of searches/i.test(message)
    return vendorFailure(reply, { code: spent ? 'upstream_payment' : undefined, message })
  },
}

/** The cost of one search with the vendor's developer plan. */
const ONE_SEARCH = cents('1.5')

const params: readonly EndpointParam[] = [
  {
    name: 'keyword',
    required: true,
    type: 'string',
    description:
      'Search term. For /trend and /interest-by-region up to five terms, separated by commas.',
    limits: { minLength: 1, maxLength: 300 },
  },
  {
    name: 'geo',
    required: false,
    type: 'string',
    description: 'Country or region, such as US or US-CA; worldwide if omitted.',
    limits: { pattern: '^[A-Z]{2}(-[A-Z0-9]{1,3})?$' },
  },
  {
    name: 'timeframe',
    required: false,
    type: 'string',
    description:
      'Date range such as "now 7-d", "today 12-m" (the default), "today 5-y", "all", or two days.',
    limits: { maxLength: 50 },
  },
  { name: 'category', required: false, type: 'integer', description: 'Category number.' },
  {
    name: 'property',
    required: false,
    type: 'string',
    description: 'Google service; web search if omitted.',
    limits: { enum: ['images', 'news', 'froogle', 'youtube'] },
  },
  {
    name: 'language',
    required: false,
    type: 'string',
    description: 'Language of names, as a two-letter code.',
    limits: { maxLength: 10 },
  },
]

const SUMMARIES = {
  '/trend': 'Google Trends: interest in a search term over time',
  '/interest-by-region': 'Google Trends: interest in a search term by country or region',
  '/related-queries': 'Google Trends: queries related to a search term, rising and top',
  '/related-topics': 'Google Trends: topics related to a search term, rising and top',
} as const

/**
 * Terms can be compared over time and by region. Related queries and topics exist for a single
 * term.
 */
function checkTerms({ endpoint: path, keyword }: Data): void {
  const count = String(keyword).split(',').length
  const most = path === '/trend' || path === '/interest-by-region' ? 5 : 1
  if (count > most)
    throw new AppError(
      'invalid_params',
      `"${String(path)}" accepts at most ${most === 1 ? 'one term' : 'five terms'}.`,
      { param: 'keyword', fix: 'Make one call per term.' },
    )
}

function requestFor(
  { endpoint: path }: EndpointEntry,
  { keyword, geo, timeframe, category, property, language }: Data,
): WireRequest {
  const types = {
    '/trend': 'TIMESERIES',
    '/interest-by-region': String(keyword).includes(',') ? 'GEO_MAP' : 'GEO_MAP_0',
    '/related-queries': 'RELATED_QUERIES',
    '/related-topics': 'RELATED_TOPICS',
  }
  const text = (value: unknown) => (value === undefined ? undefined : asText(value))
  return get('/search.json', {
    engine: 'google_trends',
    q: text(keyword),
    data_type: types[path as keyof typeof types],
    geo: text(geo),
    date: text(timeframe),
    cat: text(category),
    gprop: text(property),
    hl: text(language),
  })
}

const reply = Type.Object({ error: Type.Optional(Type.Unknown()) })

/**
 * Without data on a term, the vendor returns success and a sentence in `error`. Lists of related
 * topics can also be empty.
 */
function outcomeOf({ body }: Reply<Static<typeof reply>>): Outcome {
  const lists = [
    field(field(body, 'interest_over_time'), 'timeline_data'),
    field(body, 'interest_by_region'),
    field(body, 'compared_breakdown_by_region'),
    ...['related_queries', 'related_topics'].flatMap((name) =>
      ['rising', 'top'].map((list) => field(field(body, name), list)),
    ),
  ]
  if (lists.some(isFilled)) return { kind: 'done', data: body, actual: ONE_SEARCH }
  const { error } = body
  return typeof error === 'string' && !/returned any results/i.test(error)
    ? failed('upstream_error', error.slice(0, 500))
    : empty(body)
}

export const service = defineService({
  id: 'trends',
  title: 'Google search trends',
  category: 'market data',
  vendor: serpApi,
  returns,
  actions: {
    fetch: endpoint({
      title: 'Google search trends',
      summary:
        'Read search trends of Google: interest over time and by region, related queries and topics.',
      description:
        '"endpoint" is /trend, /interest-by-region, /related-queries or /related-topics. Values are 0 to 100 relative to the maximum.',
      keywords: [
        'google trends',
        'search interest',
        'popularity of a term',
        'rising queries',
        'seasonality',
      ],
      endpoints: Object.entries(SUMMARIES).map(([path, summary]) => ({
        endpoint: path,
        method: 'GET',
        summary,
        params,
      })),
      example: { endpoint: '/trend', keyword: 'espresso', geo: 'US' },
      price: { kind: 'actual', cap: cents('5'), withKey: ONE_SEARCH },
      priceSource: 'Vendor list price $15 per 1000 searches, 2026-11.',
      timeoutMs: 60_000,
      check: checkTerms,
      request: requestFor,
      reply,
      outcome: outcomeOf,
    }),
  },
})
