import { Type, type Static } from '../../lib/schema.ts'
import { cents } from '../../lib/money.ts'
import { parallel, parallelMerchant } from './vendor.ts'
import { task, taskStatus } from './tasks.ts'
import { call, defineService, params } from '../../catalog/vocabulary/define.ts'
import { empty, type Data, type Outcome } from '../../catalog/vocabulary/outcome.ts'
import { found } from '../shared/records.ts'
import { flat } from '../../catalog/vocabulary/tariff.ts'
import { post, type Reply } from '../../catalog/vocabulary/wire.ts'
import {
  choice,
  flag,
  list,
  openObject,
  optional,
  text,
  whole,
} from '../../catalog/vocabulary/fields.ts'
import { isFilled } from '../../catalog/answers/filled.ts'
import { field } from '../../catalog/answers/vendor-failure.ts'
import { requireWebAddress } from '../../catalog/validate/web-address.ts'
import { checkOwnSearch, inSearchForCallsOnly } from '../shared/in-house-search.ts'
import { returns } from './returns.ts'

const objective = (description: string) => optional(text(description, 5_000))
const queries = optional(
  list(
    'Up to 10 search queries of a few words each.',
    Type.String({ minLength: 1, maxLength: 200 }),
    10,
  ),
)

const searchInput = params(
  {
    objective: objective('The purpose of the results, in plain words.'),
    query: optional(text('A single search query, alone or in addition to search_queries.', 200)),
    search_queries: queries,
    // The price covers ten results; the vendor charges for each further one.
    max_results: whole('Maximum number of results, 1 to 15.', 1, 15, { default: 10 }),
    mode: choice(
      'turbo is the fastest, advanced the most thorough.',
      ['turbo', 'basic', 'advanced'],
      { default: 'advanced' },
    ),
  },
  {
    anyOf: [{ required: ['objective'] }, { required: ['query'] }, { required: ['search_queries'] }],
  },
)

/** The caller's queries without duplicates. */
function namedQueries({
  query,
  search_queries: listed = [],
}: Static<typeof searchInput>): readonly string[] {
  return [...new Set([...(query === undefined ? [] : [query]), ...listed])]
}

/** The vendor requires at least one query and reads only its first words. */
function queriesOf(input: Static<typeof searchInput>): readonly string[] {
  const named = namedQueries(input)
  return named.length > 0 ? named : [(input.objective ?? '').slice(0, 200)]
}

function paramOf(input: Static<typeof searchInput>, query: string): string {
  if (input.query === query) return 'query'
  const at = input.search_queries?.indexOf(query) ?? -1
  return at === -1 ? 'objective' : `search_queries[${at}]`
}

const searchReply = Type.Object({ results: Type.Array(Type.Unknown()) })

const extractInput = params({
  urls: list('URLs of 1 to 20 pages.', Type.String({ minLength: 1, maxLength: 2_048 }), 20, {
    uniqueItems: true,
  }),
  objective: objective(
    'The information to look for in the pages. The excerpts are selected for it.',
  ),
  full_content: flag('Also returns the full pages.', { default: false }),
  schema: optional(
    openObject(
      'JSON Schema of an object. A language model of this gateway fills it from each page, as `data`.',
    ),
  ),
})

/** The reply lists unreadable pages in `errors`. */
function extractOutcome(
  { body }: Reply<Static<typeof searchReply>>,
  { urls, schema }: Static<typeof extractInput>,
): Outcome {
  const wanted = schema === undefined ? ['excerpts', 'full_content'] : ['data']
  const units = body.results.filter((page) =>
    wanted.some((name) => isFilled(field(page, name))),
  ).length
  if (units === 0) return empty(body)
  return { kind: units < urls.length ? 'partial' : 'done', data: body, units }
}

/** The merchant takes an objective with queries or a single query, and has two modes. */
function merchantSearch(input: Static<typeof searchInput>): Data {
  const { objective: goal, mode } = input
  const named = namedQueries(input)
  const single = goal === undefined ? named : [goal, ...named]
  const request =
    single.length === 1
      ? { query: single[0] }
      : { objective: goal ?? named.join('; ').slice(0, 5_000), search_queries: named }
  return { ...request, mode: mode === 'advanced' ? 'one-shot' : 'fast' }
}

export const service = defineService({
  id: 'agentic',
  title: 'Web search and research for agents',
  category: 'web search',
  vendor: parallel,
  returns,
  actions: {
    search: call({
      title: 'Search the web for an objective',
      summary: 'Search the web by an objective and several queries in one call.',
      description:
        'Returns pages with the excerpts that are relevant to the objective. A search without results is not charged.',
      keywords: ['web search', 'agent search', 'excerpts', 'retrieval', 'google'],
      input: searchInput,
      example: {
        objective: 'How databases make many small commits cheap',
        search_queries: ['group commit database', 'wal fsync batching'],
      },
      price: flat(cents('1')),
      priceSource:
        'Vendor list price $5 per 1000 searches of ten results, $1 per 1000 further results, 2026-08.',
      timeoutMs: 60_000,
      untrustedContent: true,
      request: (input) =>
        post('/v1/search', {
          search_queries: queriesOf(input),
          objective: input.objective,
          mode: input.mode,
          advanced_settings: { max_results: input.max_results },
        }),
      merchant: {
        at: parallelMerchant,
        request: (input) => post('/api/search', merchantSearch(input)),
      },
      reply: searchReply,
      outcome: ({ body }, { max_results: most }) =>
        found({ ...body, results: body.results.slice(0, most) }, body.results),
      ...inSearchForCallsOnly,
      inHouse: 'agentic.search',
      inHouseCheck: (input) =>
        queriesOf(input).forEach((query) => checkOwnSearch(query, paramOf(input, query))),
    }),
    extract: call({
      title: 'Relevant excerpts of pages',
      summary: 'Read the relevant excerpts of up to 20 pages.',
      description:
        'Returns the excerpts that fit the objective, and with a schema the data of each page. Unreadable pages, and pages without data, are listed in `errors` and not charged.',
      keywords: ['read page', 'excerpts', 'extract article', 'batch extract', 'fetch url'],
      input: extractInput,
      example: {
        urls: ['https://example.com/', 'https://www.iana.org/help/example-domains'],
        objective: 'What the site offers',
      },
      price: {
        kind: 'unit',
        rate: cents('1'),
        unit: 'page',
        atMost: ({ urls }) => urls.length,
        counted: { by: 'list' },
      },
      priceSource: 'Vendor list price $1 per 1000 pages, 2026-08.',
      timeoutMs: 60_000,
      untrustedContent: true,
      check: ({ urls }, checkAddress) =>
        urls.forEach((url, index) => requireWebAddress(url, `urls[${index}]`, checkAddress)),
      // Only the simulator receives a schema: the vendor has no such parameter.
      request: ({ urls, objective: goal, full_content, schema }) =>
        post('/v1/extract', {
          urls,
          objective: goal,
          schema,
          advanced_settings: full_content ? { full_content } : undefined,
        }),
      merchant: {
        at: parallelMerchant,
        sells: ({ full_content, schema }) => !full_content && schema === undefined,
        request: ({ urls, objective: goal }) => post('/api/extract', { urls, objective: goal }),
      },
      reply: searchReply,
      outcome: extractOutcome,
      inHouse: 'agentic.extract',
      isOnlyInHouse: ({ schema }) => schema !== undefined,
    }),
    task,
    'task-status': taskStatus,
  },
})
