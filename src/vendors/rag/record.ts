import { Type, type Static } from '../../lib/schema.ts'
import { AppError } from '../../errors/app-error.ts'
import { cents } from '../../lib/money.ts'
import { countryName } from '../shared/country-names.ts'
import { call, defineService, params } from '../../catalog/vocabulary/define.ts'
import { done, empty, type Outcome } from '../../catalog/vocabulary/outcome.ts'
import { flat } from '../../catalog/vocabulary/tariff.ts'
import { bearer, post, type Reply, type Vendor } from '../../catalog/vocabulary/wire.ts'
import { choice, list, optional, text, whole } from '../../catalog/vocabulary/fields.ts'
import { isFilled } from '../../catalog/answers/filled.ts'
import { field, vendorFailure } from '../../catalog/answers/vendor-failure.ts'
import { requireWebAddress } from '../../catalog/validate/web-address.ts'
import { checkOwnSearch, inSearchForCallsOnly } from '../shared/in-house-search.ts'
import { returns } from './returns.ts'

const tavily: Vendor = {
  baseUrl: 'https://api.tavily.com',
  auth: bearer(),
  docsUrl: 'https://docs.tavily.com/documentation/api-reference/introduction',
  readFailure: (reply) => {
    // Nonstandard statuses: the plan's limit, and the pay-as-you-go limit.
    const spent = reply.status === 432 || reply.status === 433
    const detail = field(reply.body, 'detail')
    return vendorFailure(reply, {
      code: spent ? 'upstream_payment' : undefined,
      message: field(detail, 'error') ?? detail,
    })
  },
}

const domains = (description: string, maxItems: number) =>
  optional(list(description, Type.String({ minLength: 1, maxLength: 253 }), maxItems))

const searchInput = params({
  query: text('The search query, ideally under 400 characters.', 2_000),
  max_results: whole(
    'Maximum number of results, 0 to 20. With 0 and an answer, returns only the answer.',
    0,
    20,
    { default: 5 },
  ),
  include_answer: optional(
    Type.Union([Type.Boolean(), Type.Enum(['basic', 'advanced'])], {
      description:
        'Adds a written answer: true or "basic" for a short one, "advanced" for a longer one.',
    }),
  ),
  include_raw_content: optional(
    Type.Union([Type.Boolean(), Type.Enum(['markdown', 'text'])], {
      description: 'Adds the content of each page: true or "markdown", or "text".',
    }),
  ),
  topic: choice('The kind of pages to search.', ['general', 'news', 'finance'], {
    default: 'general',
  }),
  time_range: optional(
    choice('Only pages published or changed in the past day, week, month or year.', [
      'day',
      'week',
      'month',
      'year',
    ]),
  ),
  country: optional(
    text(
      'Country whose results come first, as a two-letter code such as "de" or its English name. Requires topic general.',
      60,
      { pattern: "^[A-Za-z][A-Za-z .'()-]+$" },
    ),
  ),
  include_domains: domains('Only pages of these domains, at most 300.', 300),
  exclude_domains: domains('No pages of these domains, at most 150.', 150),
})
type SearchInput = Static<typeof searchInput>

function checkSearch({ country, topic, max_results, include_answer }: SearchInput): void {
  if (country !== undefined && topic !== 'general')
    throw new AppError('invalid_params', `Topic "${topic}" does not support "country".`, {
      param: 'country',
      fix: 'Remove "country", or use topic general.',
    })
  if (country !== undefined && nameOf(country) === undefined)
    throw new AppError('invalid_params', `"${country}" is not a country code.`, {
      param: 'country',
      fix: 'Send a two-letter code such as "de", or the English name.',
    })
  if (max_results === 0 && (include_answer ?? false) === false)
    throw new AppError('invalid_params', 'A search with zero results requires an answer.', {
      param: 'max_results',
      fix: 'Request at least one result, or set "include_answer".',
    })
}

/** The vendor accepts country names in lower case, but no codes. */
function nameOf(country: string): string | undefined {
  return (country.length === 2 ? countryName(country) : country)?.toLowerCase()
}

const searchReply = Type.Object({
  results: Type.Array(Type.Unknown()),
  answer: Type.Optional(Type.Unknown()),
})

function searchOutcome({ body }: Reply<Static<typeof searchReply>>): Outcome {
  return isFilled(body.results) || isFilled(body.answer) ? done(body) : empty(body)
}

const extractInput = params({
  urls: list('URLs of 1 to 5 pages.', Type.String({ minLength: 1, maxLength: 2_048 }), 5, {
    uniqueItems: true,
  }),
  format: choice('Format of the content.', ['markdown', 'text'], { default: 'markdown' }),
})

const extractReply = Type.Object({
  results: Type.Array(Type.Unknown()),
  failed_results: Type.Optional(Type.Array(Type.Unknown())),
})

/** A page counts if it has content. The call has one price for any number of pages. */
function extractOutcome(
  { body }: Reply<Static<typeof extractReply>>,
  { urls }: Static<typeof extractInput>,
): Outcome {
  const read = body.results.filter((page) => isFilled(field(page, 'raw_content'))).length
  if (read === 0) return empty(body)
  return { kind: read < urls.length ? 'partial' : 'done', data: body }
}

export const service = defineService({
  id: 'rag',
  title: 'Search the web for language models',
  category: 'web search',
  vendor: tavily,
  returns,
  actions: {
    search: call({
      title: 'Search passages for a language model',
      summary:
        'Search the web for passages that a language model can use directly, optionally with a written answer.',
      description:
        'Returns ranked results with the relevant passages, and optionally the full pages and a short answer. A search without results is not charged.',
      keywords: [
        'web search',
        'retrieval',
        'grounding',
        'answer with sources',
        'news search',
        'finance news',
        'google',
      ],
      input: searchInput,
      example: { query: 'what is group commit in databases', max_results: 3, include_answer: true },
      price: flat(cents('1')),
      priceSource: 'One vendor credit of $0.008, 2026-06.',
      timeoutMs: 30_000,
      untrustedContent: true,
      check: checkSearch,
      request: ({ country, ...rest }) =>
        post('/search', {
          ...rest,
          country: country === undefined ? undefined : nameOf(country),
          include_usage: true,
        }),
      reply: searchReply,
      outcome: searchOutcome,
      ...inSearchForCallsOnly,
      inHouse: 'rag.search',
      inHouseCheck: ({ query }) => checkOwnSearch(query, 'query'),
    }),
    extract: call({
      title: 'Extract the content of pages',
      summary: 'Read the content of up to five pages in one call, as markdown or text.',
      description:
        'Unreadable pages are listed in `failed_results`. The call has one price; if no page could be read, nothing is charged.',
      keywords: ['read page', 'extract article', 'page to markdown', 'fetch url', 'batch extract'],
      input: extractInput,
      example: { urls: ['https://example.com/', 'https://www.iana.org/help/example-domains'] },
      price: flat(cents('1')),
      priceSource: 'One vendor credit of $0.008 per five pages, 2026-06.',
      timeoutMs: 60_000,
      untrustedContent: true,
      check: ({ urls }, checkAddress) =>
        urls.forEach((url, index) => requireWebAddress(url, `urls[${index}]`, checkAddress)),
      request: ({ urls, format }) =>
        post('/extract', { urls, format, extract_depth: 'basic', include_usage: true }),
      reply: extractReply,
      outcome: extractOutcome,
      inHouse: 'rag.extract',
    }),
  },
})
