import { Type, type Static } from '../../lib/schema.ts'
import { cents } from '../../lib/money.ts'
import { call, params } from '../../catalog/vocabulary/define.ts'
import { done, empty, failed, type Outcome } from '../../catalog/vocabulary/outcome.ts'
import { flat } from '../../catalog/vocabulary/tariff.ts'
import { post, type Reply } from '../../catalog/vocabulary/wire.ts'
import {
  choice,
  flag,
  list,
  optional,
  pageAddress,
  text,
  whole,
} from '../../catalog/vocabulary/fields.ts'
import { isFilled } from '../../catalog/answers/filled.ts'
import { field } from '../../catalog/answers/vendor-failure.ts'
import {
  checkOwnSearch,
  inSearchForCallsOnly,
  pickEngineFields,
  rejectInSearch,
} from '../shared/in-house-search.ts'
import { requireWebAddress } from '../../catalog/validate/web-address.ts'

const SOURCES = ['web', 'news', 'images'] as const
const searchInput = params({
  query: text('Search words.', 2_000),
  limit: whole('Maximum number of results per source, 1 to 20.', 1, 20, { default: 5 }),
  lang: optional(
    text('Language of the results, such as "en".', 10, {
      pattern: '^[a-z]{2,3}(-[A-Za-z]{2,4})?$',
    }),
  ),
  tbs: optional(
    choice('Only pages of the past hour (h), day (d), week (w), month (m) or year (y).', [
      'qdr:h',
      'qdr:d',
      'qdr:w',
      'qdr:m',
      'qdr:y',
    ]),
  ),
  sources: optional(
    list('The kinds of results. Results are then grouped by kind.', Type.Enum([...SOURCES]), 3, {
      uniqueItems: true,
    }),
  ),
  scrapeOptions: optional(
    params(
      {
        formats: list(
          'Output formats of each page.',
          Type.Enum(['markdown', 'html', 'rawHtml', 'links']),
          4,
          { uniqueItems: true, default: ['markdown'] },
        ),
        onlyMainContent: flag('Removes navigation, footers and other boilerplate.', {
          default: true,
        }),
      },
      {
        description:
          'Also reads each page found. If omitted, results have only title, URL and description.',
      },
    ),
  ),
})

const searchReply = Type.Object({
  success: Type.Boolean(),
  data: Type.Optional(Type.Unknown()),
  error: Type.Optional(Type.Unknown()),
})

/**
 * The hosted edition returns rows in `data`, the self-hosted one in `data.results`. With sources,
 * groups replace the rows.
 */
function searchOutcome({ body }: Reply<Static<typeof searchReply>>): Outcome {
  const { success, data, error } = body
  if (!success)
    return failed(
      'no_results',
      typeof error === 'string' && error !== '' ? error.slice(0, 500) : 'The search failed.',
    )
  const rows = field(data, 'results') ?? data ?? []
  const found = Array.isArray(rows)
    ? isFilled(rows)
    : SOURCES.some((source) => isFilled(field(rows, source)))
  const answer = { success, data: rows, ...pickEngineFields(body) }
  return found ? done(answer) : empty(answer)
}

export const search = call({
  title: 'Search the web and read the results',
  summary: 'Search the web, news or images, and optionally read the pages found in the same call.',
  description:
    'Returns title, URL and description of each result, plus markdown or HTML of the pages if `scrapeOptions` requests it. A search without results is not charged.',
  keywords: ['web search', 'search and scrape', 'news search', 'image search', 'google'],
  input: searchInput,
  example: {
    query: 'postgres group commit',
    limit: 3,
    tbs: 'qdr:y',
    scrapeOptions: { formats: ['markdown'], onlyMainContent: true },
  },
  price: flat(cents('1')),
  priceSource: 'One vendor credit per search, plus one per page read, 2026-08.',
  timeoutMs: 75_000,
  untrustedContent: true,
  request: (input) => post('/v1/search', input),
  reply: searchReply,
  outcome: searchOutcome,
  ...inSearchForCallsOnly,
  inHouse: 'render2.search',
  inHouseCheck: ({ query, sources = [] }) => {
    checkOwnSearch(query, 'query')
    rejectInSearch('sources', sources.includes('images'), 'Use "web" and "news" as "sources".')
  },
})

const mapReply = Type.Object({
  success: Type.Boolean(),
  error: Type.Optional(Type.Unknown()),
  data: Type.Optional(Type.Object({ links: Type.Optional(Type.Array(Type.Unknown())) })),
})

const MAP_SECONDS = 60

export const map = call({
  title: 'List the URLs of a website',
  summary: "List the URLs of a website's pages from its sitemap and its links.",
  description:
    'Reads the sitemap, or follows links if there is no sitemap. A site without pages to list is not charged.',
  keywords: ['sitemap', 'list urls', 'site structure', 'all pages of a site'],
  input: params({
    url: pageAddress('URL of the site (http or https).'),
    maxDepth: whole('Maximum link depth, 0 to 10.', 0, 10, { default: 2 }),
    useSitemap: flag('Reads the sitemap of the site.', { default: true }),
  }),
  example: { url: 'https://example.com/' },
  price: flat(cents('1')),
  priceSource: 'One vendor credit per call, 2026-08.',
  timeoutMs: (MAP_SECONDS + 15) * 1_000,
  untrustedContent: true,
  check: ({ url }, checkAddress) => requireWebAddress(url, 'url', checkAddress),
  request: (input) => post('/v1/map', { ...input, timeout: MAP_SECONDS }),
  reply: mapReply,
  outcome: ({ body }) => {
    if (!body.success) return failed('no_results', 'The site could not be mapped.')
    return isFilled(body.data?.links) ? done(body) : empty(body)
  },
  inHouse: 'render2.map',
})
