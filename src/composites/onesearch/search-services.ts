/**
 * The search services: the topics, the input and the position of the hits in the reply of each.
 * `fuse` applies the filters that a service does not support.
 */
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { fieldsOf } from '../../lib/json-fields.ts'
import { stringsOf } from '../../reader/lanes/lane-call.ts'
import { toRecords, toText } from './read-reply.ts'
import type { Freshness, Hit, SearchRequest, Topic } from './search-request.ts'
import { domainFields, optional, withSites } from './service-input.ts'

export type SearchService = {
  readonly service: string
  readonly action: string
  readonly topics: readonly Topic[]
  /** The service applies `freshness` itself. */
  readonly honoursFreshness: boolean
  readonly input: (request: SearchRequest) => Data
  readonly hits: (reply: Data) => readonly Hit[]
}

const SEMANTIC_CATEGORY: Readonly<Partial<Record<Topic, string>>> = {
  news: 'news',
  papers: 'research',
}

const semantic: SearchService = {
  service: 'semantic',
  action: 'search',
  topics: ['web', 'news', 'papers', 'code'],
  honoursFreshness: true,
  input: (request) => ({
    query: request.query,
    numResults: request.count,
    contents: { highlights: { maxCharacters: 400 } },
    ...optional('category', SEMANTIC_CATEGORY[request.topic]),
    ...optional('start_published_date', request.since),
    ...domainFields(request, 'include_domains', 'exclude_domains'),
  }),
  hits: (reply) =>
    toRecords(reply['results']).map((row) =>
      hitOf(row, { snippet: joinPassages(row['highlights']), published: row['publishedDate'] }),
    ),
}

const INDEP_FRESHNESS: Readonly<Record<Freshness, string>> = {
  day: 'pd',
  week: 'pw',
  month: 'pm',
  year: 'py',
}
const INDEP_MAX_CHARS = 400
const INDEP_MAX_WORDS = 50

const indepInput = (request: SearchRequest): Data => ({
  q: withSites(request, INDEP_MAX_CHARS, INDEP_MAX_WORDS),
  count: request.count,
  ...optional('freshness', request.freshness === null ? null : INDEP_FRESHNESS[request.freshness]),
  ...optional('country', request.country),
})

const indep: SearchService = {
  service: 'indep',
  action: 'search',
  topics: ['web', 'code'],
  honoursFreshness: true,
  input: indepInput,
  hits: (reply) => toRecords(fieldsOf(reply['web'])['results']).map(indepHit),
}

const indepNews: SearchService = {
  ...indep,
  action: 'news',
  topics: ['news'],
  hits: (reply) => toRecords(reply['results']).map(indepHit),
}

const rag: SearchService = {
  service: 'rag',
  action: 'search',
  topics: ['web', 'news', 'code'],
  honoursFreshness: true,
  input: (request) => ({
    query: request.query,
    max_results: request.count,
    ...optional('time_range', request.freshness),
    ...(request.topic === 'news' ? { topic: 'news' } : optional('country', request.country)),
    ...domainFields(request, 'include_domains', 'exclude_domains'),
  }),
  hits: (reply) =>
    toRecords(reply['results']).map((row) =>
      hitOf(row, { snippet: row['content'], published: row['published_date'] }),
    ),
}

const cited: SearchService = {
  service: 'cited',
  action: 'search',
  topics: ['web', 'code'],
  honoursFreshness: true,
  input: (request) => ({
    q: request.query,
    outputType: 'searchResults',
    ...optional('fromDate', request.since),
    ...domainFields(request, 'includeDomains', 'excludeDomains'),
  }),
  hits: (reply) =>
    toRecords(reply['results']).map((row) =>
      hitOf(row, { title: row['name'], snippet: row['content'] }),
    ),
}

const FRESHNESS_BY_TBS: Readonly<Record<Freshness, string>> = {
  day: 'qdr:d',
  week: 'qdr:w',
  month: 'qdr:m',
  year: 'qdr:y',
}

const render2: SearchService = {
  service: 'render2',
  action: 'search',
  topics: ['web', 'news', 'code'],
  honoursFreshness: true,
  input: (request) => ({
    query: withSites(request, 2_000, 200),
    limit: request.count,
    ...optional('tbs', request.freshness === null ? null : FRESHNESS_BY_TBS[request.freshness]),
    ...(request.topic === 'news' ? { sources: ['news'] } : {}),
  }),
  // With `sources` the rows are grouped by source.
  hits: ({ data }) =>
    toRecords(Array.isArray(data) ? data : fieldsOf(data)['news']).map((row) =>
      hitOf(row, { snippet: row['description'] ?? row['snippet'], published: row['date'] }),
    ),
}

const render: SearchService = {
  service: 'render',
  action: 'search',
  topics: ['web', 'news', 'code'],
  honoursFreshness: true,
  input: (request) => ({
    query: withSites(request, 500, 80),
    limit: request.count,
    sources: [request.topic === 'news' ? 'news' : 'web'],
    ...optional('tbs', request.freshness === null ? null : FRESHNESS_BY_TBS[request.freshness]),
    ...optional('country', request.country),
  }),
  hits: (reply) => {
    const { web, news } = fieldsOf(reply['data'])
    return toRecords(web ?? news).map((row) =>
      hitOf(row, { snippet: row['description'] ?? row['snippet'], published: row['date'] }),
    )
  },
}

const AGENTIC_MAX_CHARS = 200
const AGENTIC_MOST = 15

const agentic: SearchService = {
  service: 'agentic',
  action: 'search',
  topics: ['web', 'code'],
  honoursFreshness: false,
  input: (request) => ({
    objective: request.query,
    search_queries: [withSites(request, AGENTIC_MAX_CHARS, 40)],
    max_results: Math.min(AGENTIC_MOST, request.count),
    mode: 'basic',
  }),
  hits: (reply) =>
    toRecords(reply['results']).map((row) =>
      hitOf(row, { snippet: joinPassages(row['excerpts']), published: row['publish_date'] }),
    ),
}

const scholar: SearchService = {
  service: 'scholar',
  action: 'works',
  topics: ['papers'],
  honoursFreshness: true,
  input: (request) => ({
    search: request.query,
    per_page: request.count,
    ...optional('filter', request.since === null ? null : `from_publication_date:${request.since}`),
  }),
  hits: (reply) =>
    toRecords(reply['results']).map((row) => {
      const page = fieldsOf(row['primary_location'])['landing_page_url']
      return {
        url: toText(row['doi']) ?? toText(page) ?? toText(row['id']) ?? '',
        title: toText(row['display_name']),
        snippet: toText(row['abstract']),
        published: toText(row['publication_date']),
      }
    }),
}

/** The source covers three months. */
const GLOBALNEWS_TIMESPAN: Readonly<Record<Freshness, string>> = {
  day: '24h',
  week: '7d',
  month: '1m',
  year: '3m',
}

const globalnews: SearchService = {
  service: 'globalnews',
  action: 'news',
  topics: ['news'],
  honoursFreshness: true,
  input: (request) => ({
    query: request.query,
    maxrecords: request.count,
    ...optional(
      'timespan',
      request.freshness === null ? null : GLOBALNEWS_TIMESPAN[request.freshness],
    ),
  }),
  hits: (reply) =>
    toRecords(reply['articles']).map((row) =>
      hitOf(row, { snippet: null, published: row['seendate'] }),
    ),
}

export const searchServices: readonly SearchService[] = [
  semantic,
  indep,
  indepNews,
  rag,
  cited,
  render2,
  render,
  agentic,
  scholar,
  globalnews,
]

export function servicesFor(
  topic: Topic,
  services: readonly SearchService[] = searchServices,
): readonly SearchService[] {
  return services.filter(({ topics }) => topics.includes(topic))
}

function indepHit(row: Data): Hit {
  const hit = hitOf(row, { snippet: row['description'], published: row['page_age'] })
  const engines = stringsOf(row['engines'])
  return engines.length === 0 ? hit : { ...hit, engines }
}

function hitOf(
  row: Data,
  {
    title = row['title'],
    snippet,
    published,
  }: { readonly title?: unknown; readonly snippet: unknown; readonly published?: unknown },
): Hit {
  return {
    url: toText(row['url']) ?? '',
    title: toText(title),
    snippet: toText(snippet),
    published: toText(published),
  }
}

function joinPassages(passages: unknown): string {
  return Array.isArray(passages)
    ? passages.filter((passage) => typeof passage === 'string').join(' … ')
    : ''
}
