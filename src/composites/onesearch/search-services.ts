/**
 * The search services that are fused, one small record each: which topics it serves, how it wants to be asked, and
 * where its reply keeps the hits. What a service cannot filter is filtered here for all of them alike.
 */
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { fieldsOf } from '../../lib/json-fields.ts'
import { listOf, textOf } from './reply.ts'
import type { Freshness, Hit, SearchWish, Topic } from './wish.ts'

export type SearchService = {
  readonly service: string
  readonly action: string
  readonly topics: readonly Topic[]
  /** It keeps to the window of `freshness` itself. */
  readonly honoursFreshness: boolean
  readonly input: (wish: SearchWish) => Data
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
  input: (wish) => ({
    query: wish.query,
    numResults: wish.count,
    contents: { highlights: { maxCharacters: 400 } },
    ...optional('category', SEMANTIC_CATEGORY[wish.topic]),
    ...optional('start_published_date', wish.since),
    ...domainFields(wish, 'include_domains', 'exclude_domains'),
  }),
  hits: (reply) =>
    listOf(reply['results']).map((row) =>
      hitOf(row, { snippet: joined(row['highlights']), published: row['publishedDate'] }),
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

const indepInput = (wish: SearchWish): Data => ({
  q: withSites(wish, INDEP_MAX_CHARS, INDEP_MAX_WORDS),
  count: wish.count,
  ...optional('freshness', wish.freshness === null ? null : INDEP_FRESHNESS[wish.freshness]),
  ...optional('country', wish.country),
})

const indep: SearchService = {
  service: 'indep',
  action: 'search',
  topics: ['web', 'code'],
  honoursFreshness: true,
  input: indepInput,
  hits: (reply) => listOf(fieldsOf(reply['web'])['results']).map(indepHit),
}

const indepNews: SearchService = {
  ...indep,
  action: 'news',
  topics: ['news'],
  hits: (reply) => listOf(reply['results']).map(indepHit),
}

const rag: SearchService = {
  service: 'rag',
  action: 'search',
  topics: ['web', 'news', 'code'],
  honoursFreshness: true,
  input: (wish) => ({
    query: wish.query,
    max_results: wish.count,
    ...optional('time_range', wish.freshness),
    ...(wish.topic === 'news' ? { topic: 'news' } : optional('country', wish.country)),
    ...domainFields(wish, 'include_domains', 'exclude_domains'),
  }),
  hits: (reply) =>
    listOf(reply['results']).map((row) =>
      hitOf(row, { snippet: row['content'], published: row['published_date'] }),
    ),
}

const cited: SearchService = {
  service: 'cited',
  action: 'search',
  topics: ['web', 'code'],
  honoursFreshness: true,
  input: (wish) => ({
    q: wish.query,
    outputType: 'searchResults',
    ...optional('fromDate', wish.since),
    ...domainFields(wish, 'includeDomains', 'excludeDomains'),
  }),
  hits: (reply) =>
    listOf(reply['results']).map((row) =>
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
  input: (wish) => ({
    query: withSites(wish, 2_000, 200),
    limit: wish.count,
    ...optional('tbs', wish.freshness === null ? null : FRESHNESS_BY_TBS[wish.freshness]),
    ...(wish.topic === 'news' ? { sources: ['news'] } : {}),
  }),
  // Rows stand in a group of their own once sources are named.
  hits: ({ data }) =>
    listOf(Array.isArray(data) ? data : fieldsOf(data)['news']).map((row) =>
      hitOf(row, { snippet: row['description'] ?? row['snippet'], published: row['date'] }),
    ),
}

const render: SearchService = {
  service: 'render',
  action: 'search',
  topics: ['web', 'news', 'code'],
  honoursFreshness: true,
  input: (wish) => ({
    query: withSites(wish, 500, 80),
    limit: wish.count,
    sources: [wish.topic === 'news' ? 'news' : 'web'],
    ...optional('tbs', wish.freshness === null ? null : FRESHNESS_BY_TBS[wish.freshness]),
    ...optional('country', wish.country),
  }),
  hits: (reply) => {
    const { web, news } = fieldsOf(reply['data'])
    return listOf(web ?? news).map((row) =>
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
  input: (wish) => ({
    objective: wish.query,
    search_queries: [withSites(wish, AGENTIC_MAX_CHARS, 40)],
    max_results: Math.min(AGENTIC_MOST, wish.count),
    mode: 'basic',
  }),
  hits: (reply) =>
    listOf(reply['results']).map((row) =>
      hitOf(row, { snippet: joined(row['excerpts']), published: row['publish_date'] }),
    ),
}

const scholar: SearchService = {
  service: 'scholar',
  action: 'works',
  topics: ['papers'],
  honoursFreshness: true,
  input: (wish) => ({
    search: wish.query,
    per_page: wish.count,
    ...optional('filter', wish.since === null ? null : `from_publication_date:${wish.since}`),
  }),
  hits: (reply) =>
    listOf(reply['results']).map((row) => {
      const page = fieldsOf(row['primary_location'])['landing_page_url']
      return {
        url: textOf(row['doi']) ?? textOf(page) ?? textOf(row['id']) ?? '',
        title: textOf(row['display_name']),
        snippet: textOf(row['abstract']),
        published: textOf(row['publication_date']),
      }
    }),
}

/** The source reaches back three months. */
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
  input: (wish) => ({
    query: wish.query,
    maxrecords: wish.count,
    ...optional('timespan', wish.freshness === null ? null : GLOBALNEWS_TIMESPAN[wish.freshness]),
  }),
  hits: (reply) =>
    listOf(reply['articles']).map((row) =>
      hitOf(row, { snippet: null, published: row['seendate'] }),
    ),
}

/** In the order in which a small budget takes them. */
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

export function servicesOf(
  topic: Topic,
  services: readonly SearchService[] = searchServices,
): readonly SearchService[] {
  return services.filter(({ topics }) => topics.includes(topic))
}

function indepHit(row: Data): Hit {
  return hitOf(row, { snippet: row['description'], published: row['page_age'] })
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
    url: textOf(row['url']) ?? '',
    title: textOf(title),
    snippet: textOf(snippet),
    published: textOf(published),
  }
}

/** Passages of a page as one text. */
function joined(passages: unknown): string {
  return Array.isArray(passages)
    ? passages.filter((passage) => typeof passage === 'string').join(' … ')
    : ''
}

function optional(name: string, value: unknown): Data {
  return value === undefined || value === null ? {} : { [name]: value }
}

/** The query with the domains as search operators, where they fit in. */
function withSites(
  { query, includeDomains, excludeDomains }: SearchWish,
  maxChars: number,
  maxWords: number,
): string {
  const words = query.split(/\s+/).slice(0, maxWords).join(' ').slice(0, maxChars)
  const sites = includeDomains.map((domain) => `site:${domain}`).join(' OR ')
  const whole = [
    words,
    includeDomains.length > 1 ? `(${sites})` : sites,
    ...excludeDomains.map((domain) => `-site:${domain}`),
  ]
    .filter((part) => part !== '')
    .join(' ')
  return whole.length <= maxChars && whole.split(' ').length <= maxWords ? whole : words
}

/** Some services refuse both lists at once; the other one is kept to afterwards anyway. */
function domainFields(
  { includeDomains, excludeDomains }: SearchWish,
  include: string,
  exclude: string,
): Data {
  if (includeDomains.length > 0) return { [include]: includeDomains }
  return excludeDomains.length > 0 ? { [exclude]: excludeDomains } : {}
}
