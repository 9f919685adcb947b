import { Type, type Static } from 'typebox'
import { cents } from '../../lib/money.ts'
import { parallel, parallelMerchant } from './vendor.ts'
import { task, taskStatus } from './tasks.ts'
import { call, defineService, params } from '../../catalog/vocabulary/define.ts'
import { empty, type Data, type Outcome } from '../../catalog/vocabulary/outcome.ts'
import { found } from '../shared/records.ts'
import { flat } from '../../catalog/vocabulary/tariff.ts'
import { post, type Reply } from '../../catalog/vocabulary/wire.ts'
import { choice, flag, list, optional, text, whole } from '../../catalog/vocabulary/fields.ts'
import { isFilled } from '../../catalog/answers/filled.ts'
import { field } from '../../catalog/answers/vendor-failure.ts'
import { requireWebAddress } from '../../catalog/validate/web-address.ts'

const objective = (description: string) => optional(text(description, 5_000))
const queries = optional(
  list(
    'Search queries of a few words each, at most 10.',
    Type.String({ minLength: 1, maxLength: 200 }),
    10,
  ),
)

const searchInput = params(
  {
    objective: objective('What the results are for, in plain words.'),
    query: optional(text('One search query, in place of a list or before it.', 200)),
    search_queries: queries,
    // What the price covers: the vendor charges for each result beyond ten.
    max_results: whole('Maximum number of results, 1 to 15.', 1, 15, { default: 10 }),
    mode: choice(
      'turbo answers soonest, advanced searches hardest.',
      ['turbo', 'basic', 'advanced'],
      { default: 'advanced' },
    ),
  },
  {
    anyOf: [{ required: ['objective'] }, { required: ['query'] }, { required: ['search_queries'] }],
  },
)

/** The queries that the caller names, each once. */
function namedQueries({
  query,
  search_queries: listed = [],
}: Static<typeof searchInput>): readonly string[] {
  return [...new Set([...(query === undefined ? [] : [query]), ...listed])]
}

/** The vendor wants at least one query, and looks at no more than its first words. */
function queriesOf(input: Static<typeof searchInput>): readonly string[] {
  const named = namedQueries(input)
  return named.length > 0 ? named : [(input.objective ?? '').slice(0, 200)]
}

const searchReply = Type.Object({ results: Type.Array(Type.Unknown()) })

const extractInput = params({
  urls: list('Addresses of pages, 1 to 20.', Type.String({ minLength: 1, maxLength: 2_048 }), 20, {
    uniqueItems: true,
  }),
  objective: objective('What to look for in the pages; the excerpts follow it.'),
  full_content: flag('Returns the whole pages beside the excerpts.', { default: false }),
})

/** Pages that could not be read stand in `errors`. */
function extractOutcome(
  { body }: Reply<Static<typeof searchReply>>,
  { urls }: Static<typeof extractInput>,
): Outcome {
  const units = body.results.filter(
    (page) => isFilled(field(page, 'excerpts')) || isFilled(field(page, 'full_content')),
  ).length
  if (units === 0) return empty(body)
  return { kind: units < urls.length ? 'partial' : 'done', data: body, units }
}

/** It wants an objective with its queries, or one query, and has two modes. */
function searchSold(input: Static<typeof searchInput>): Data {
  const { objective: goal, mode } = input
  const named = namedQueries(input)
  const single = goal === undefined ? named : [goal, ...named]
  const asked =
    single.length === 1
      ? { query: single[0] }
      : { objective: goal ?? named.join('; ').slice(0, 5_000), search_queries: named }
  return { ...asked, mode: mode === 'advanced' ? 'one-shot' : 'fast' }
}

export const service = defineService({
  id: 'agentic',
  title: 'Web search and research for agents',
  category: 'web search',
  vendor: parallel,
  actions: {
    search: call({
      summary:
        'Search the web by an objective and several queries at once, for passages that serve it.',
      description:
        'Returns pages with the excerpts that matter to the objective. No results: no charge.',
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
        request: (input) => post('/api/search', searchSold(input)),
      },
      reply: searchReply,
      outcome: ({ body }, { max_results: most }) =>
        found({ ...body, results: body.results.slice(0, most) }, body.results),
    }),
    extract: call({
      summary: 'Read up to 20 pages for the excerpts that serve an objective.',
      description: 'Pages that could not be read are listed in `errors` and are not charged.',
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
      request: ({ urls, objective: goal, full_content }) =>
        post('/v1/extract', {
          urls,
          objective: goal,
          advanced_settings: full_content ? { full_content } : undefined,
        }),
      merchant: {
        at: parallelMerchant,
        sells: ({ full_content }) => !full_content,
        request: ({ urls, objective: goal }) => post('/api/extract', { urls, objective: goal }),
      },
      reply: searchReply,
      outcome: extractOutcome,
      inHouse: 'agentic.extract',
    }),
    task,
    'task-status': taskStatus,
  },
})
