import { Type, type Static } from '../../lib/schema.ts'
import { cents } from '../../lib/money.ts'
import { call, params } from '../../catalog/vocabulary/define.ts'
import { done, empty, failed, type Outcome } from '../../catalog/vocabulary/outcome.ts'
import { flat } from '../../catalog/vocabulary/tariff.ts'
import { post, type Reply } from '../../catalog/vocabulary/wire.ts'
import {
  choice,
  countryCode,
  list,
  optional,
  text,
  whole,
} from '../../catalog/vocabulary/fields.ts'
import { isFilled } from '../../catalog/answers/filled.ts'
import { field } from '../../catalog/answers/vendor-failure.ts'
import { checkOwnSearch, inSearchForCallsOnly, rejectInSearch } from '../shared/in-house-search.ts'

const SOURCES = ['web', 'news', 'images'] as const

const searchReply = Type.Object({
  success: Type.Boolean(),
  error: Type.Optional(Type.Unknown()),
  data: Type.Optional(Type.Unknown()),
})

function searchOutcome({ body }: Reply<Static<typeof searchReply>>): Outcome {
  if (!body.success)
    return failed(
      'no_results',
      typeof body.error === 'string' && body.error !== ''
        ? body.error.slice(0, 500)
        : 'The search failed.',
    )
  return SOURCES.some((source) => isFilled(field(body.data, source))) ? done(body) : empty(body)
}

export const search = call({
  title: 'Search the web, news or images',
  summary: 'Search the web, news or images by keywords.',
  description:
    'Returns title, URL and description of each result, grouped by source. A search without results is not charged.',
  keywords: ['web search', 'google', 'news search', 'image search', 'serp'],
  input: params({
    query: text('Search words.', 500),
    limit: whole('Maximum number of results, 1 to 100.', 1, 100, { default: 10 }),
    sources: list('The kinds of results.', Type.Enum([...SOURCES]), 3, {
      uniqueItems: true,
      default: ['web'],
    }),
    tbs: optional(
      choice('Only pages of the past hour (h), day (d), week (w), month (m) or year (y).', [
        'qdr:h',
        'qdr:d',
        'qdr:w',
        'qdr:m',
        'qdr:y',
      ]),
    ),
    country: optional(
      countryCode('Country whose results come first, as a two-letter code such as "de".'),
    ),
  }),
  example: { query: 'postgres group commit', limit: 5 },
  price: flat(cents('1')),
  priceSource: 'Two vendor credits per ten results, $0.0008 to $0.005 each by plan, 2026-08.',
  timeoutMs: 75_000,
  untrustedContent: true,
  request: ({ country, ...rest }) => post('/search', { ...rest, country: country?.toUpperCase() }),
  reply: searchReply,
  outcome: searchOutcome,
  ...inSearchForCallsOnly,
  inHouse: 'render.search',
  inHouseCheck: ({ query, sources }) => {
    checkOwnSearch(query, 'query')
    rejectInSearch('sources', sources.includes('images'), 'Use "web" and "news" as "sources".')
  },
})
