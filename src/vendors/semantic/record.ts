import { Type, type Static, type TSchema } from '../../lib/schema.ts'
import { AppError } from '../../errors/app-error.ts'
import { cents } from '../../lib/money.ts'
import { call, defineService, params } from '../../catalog/vocabulary/define.ts'
import { tempoMerchant } from '../../catalog/vocabulary/merchant.ts'
import { empty, type Data, type Outcome } from '../../catalog/vocabulary/outcome.ts'
import { found } from '../shared/records.ts'
import { checkOwnSearch, inSearchForCallsOnly, rejectInSearch } from '../shared/in-house-search.ts'
import { returns } from './returns.ts'
import { flat } from '../../catalog/vocabulary/tariff.ts'
import {
  keyHeader,
  post,
  type Reply,
  type Vendor,
  type WireRequest,
} from '../../catalog/vocabulary/wire.ts'
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
import { field, vendorFailure } from '../../catalog/answers/vendor-failure.ts'
import { requireWebAddress } from '../../catalog/validate/web-address.ts'

const exa: Vendor = {
  baseUrl: 'https://api.exa.ai',
  auth: keyHeader('x-api-key'),
  docsUrl: 'https://docs.exa.ai/reference/search',
  readFailure: (reply) => {
    const tag = field(reply.body, 'tag')
    const spent = tag === 'NO_MORE_CREDITS' || tag === 'API_KEY_BUDGET_EXCEEDED'
    // 403 means that the request violates a policy, not that the key is wrong.
    const code = spent ? 'upstream_payment' : reply.status === 403 ? 'upstream_rejected' : undefined
    return vendorFailure(reply, { code, vendorCode: tag, message: field(reply.body, 'error') })
  },
}

/** The vendor also sells both actions without a key, for a payment per request. */
const merchant = { at: tempoMerchant(exa.baseUrl) }

const date = { pattern: '^\\d{4}-\\d{2}-\\d{2}(T[0-9:.]+(Z|[+-]\\d{2}:\\d{2})?)?$' }
const domains = (description: string) =>
  optional(list(description, Type.String({ minLength: 1, maxLength: 300 }), 100))
const orTrue = <Options extends TSchema>(description: string, options: Options) =>
  optional(
    Type.Union([Type.Boolean(), options], { description: `${description}: true, or options.` }),
  )

const contentFields = {
  text: orTrue(
    'Text of the page',
    params({
      maxCharacters: optional(
        whole('Truncates the text after this many characters.', 1, 1_000_000),
      ),
      includeHtmlTags: optional(flag('Preserves HTML tags in the text.')),
      verbosity: optional(
        choice('Content next to the main content. Only with maxAgeHours 0.', [
          'compact',
          'standard',
          'full',
        ]),
      ),
    }),
  ),
  highlights: orTrue(
    'The most relevant passages of the page',
    params({
      query: optional(text('The topic of the passages.', 2_000)),
      maxCharacters: optional(
        whole('Maximum number of characters of passages per page.', 1, 100_000),
      ),
    }),
  ),
  summary: orTrue(
    'A summary of the page',
    params({
      query: optional(text('The question that the summary answers.', 2_000)),
      schema: optional(openObject('JSON Schema of the summary.')),
    }),
  ),
  maxAgeHours: optional(
    whole(
      'Maximum age of a stored copy in hours: 0 always reads the page, -1 uses only stored copies.',
      -1,
      8_760,
    ),
  ),
}

const NOT_FOR_PROFILES = 'Not with category people or company.'
const SEARCH_TYPES = ['auto', 'neural', 'keyword', 'deep-lite', 'deep', 'deep-reasoning'] as const
const searchInput = params({
  query: text('The query in plain words. A full question works well.', 2_000),
  type: choice('Search type. The deep types take 5 to 60 seconds.', SEARCH_TYPES, {
    default: 'auto',
  }),
  numResults: whole('Maximum number of results, 1 to 100.', 1, 100, { default: 10 }),
  contents: optional(
    params(contentFields, {
      description: 'Content of each result. Default: titles and URLs only.',
    }),
  ),
  start_published_date: optional(
    text(`Only pages published on or after this ISO 8601 date. ${NOT_FOR_PROFILES}`, 40, date),
  ),
  end_published_date: optional(
    text(`Only pages published up to this ISO 8601 date. ${NOT_FOR_PROFILES}`, 40, date),
  ),
  include_domains: domains(
    'Only pages of these domains. Category people supports only LinkedIn, github only GitHub.',
  ),
  exclude_domains: domains(`No pages of these domains. ${NOT_FOR_PROFILES}`),
  category: optional(
    choice('Only this category of results.', ['news', 'research', 'github', 'people', 'company']),
  ),
})
type SearchInput = Static<typeof searchInput>

/**
 * The vendor's names of the categories. It dropped "github", which the domain github.com replaces
 * exactly.
 */
const CATEGORIES = {
  news: 'news',
  research: 'publication',
  github: undefined,
  people: 'people',
  company: 'company',
} as const

/** Alternative names in newer and older descriptions of the vendor's API. */
const OTHER_NAMES: Readonly<Record<'type' | 'category', Readonly<Record<string, string>>>> = {
  type: { keyword: 'fast', 'deep-lite': 'deep' },
  category: { research: 'research paper' },
}

function otherNames({ type, category }: SearchInput): Data {
  const names = {
    type: OTHER_NAMES.type[type],
    category: category === undefined ? undefined : OTHER_NAMES.category[category],
  }
  return Object.fromEntries(Object.entries(names).filter(([, name]) => name !== undefined))
}

function searchBody({
  query,
  type,
  numResults,
  contents,
  category,
  ...filters
}: SearchInput): Data {
  return {
    query,
    type,
    numResults,
    contents,
    category: category === undefined ? undefined : CATEGORIES[category],
    startPublishedDate: filters.start_published_date,
    endPublishedDate: filters.end_published_date,
    includeDomains: filters.include_domains ?? (category === 'github' ? ['github.com'] : undefined),
    excludeDomains: filters.exclude_domains,
  }
}

/** If the vendor rejects a value, the request is repeated with its alternative name. */
function searchRequest(input: SearchInput): WireRequest {
  const wire = post('/search', searchBody(input))
  return Object.keys(otherNames(input)).length === 0 ? wire : { ...wire, acceptedStatuses: [400] }
}

function searchAgain({ status }: Reply, input: SearchInput): WireRequest | null {
  return status === 400 ? post('/search', { ...searchBody(input), ...otherNames(input) }) : null
}

function checkCategory(input: SearchInput): void {
  const { category, include_domains: included } = input
  if (category === 'people' || category === 'company') {
    for (const name of ['start_published_date', 'end_published_date', 'exclude_domains'] as const) {
      if (input[name] !== undefined) {
        throw new AppError('invalid_params', `Category "${category}" does not support "${name}".`, {
          param: name,
          fix: `Remove "${name}", or choose another category.`,
        })
      }
    }
  }
  if (category === 'people') rejectOtherDomains(included, 'linkedin.com', category)
  if (category === 'github') rejectOtherDomains(included, 'github.com', category)
}

function rejectOtherDomains(
  domainList: readonly string[] | undefined,
  allowed: string,
  category: string,
): void {
  const index = (domainList ?? []).findIndex(
    (domain) => !new RegExp(`(^|\\.)${allowed.replace('.', '\\.')}(/|$)`, 'i').test(domain),
  )
  if (index < 0) return
  throw new AppError(
    'invalid_params',
    `Category "${category}" supports only ${allowed} in "include_domains".`,
    {
      param: `include_domains[${index}]`,
      fix: `Remove it, or choose another category.`,
    },
  )
}

/** Pages that a gateway without the vendor reads for one search. */
const MAX_OWN_READS = 20

function checkOwn({ query, type, category, contents, numResults }: SearchInput): void {
  checkOwnSearch(query, 'query')
  rejectInSearch(
    'type',
    type !== 'auto' && type !== 'keyword',
    'Use "auto" or "keyword" as "type".',
  )
  rejectInSearch('category', category === 'people' || category === 'company')
  const { summary = false } = contents ?? {}
  rejectInSearch('contents.summary', summary !== false, 'Call semantic/contents for summaries.')
  rejectInSearch(
    'numResults',
    contents !== undefined && numResults > MAX_OWN_READS,
    `Request at most ${MAX_OWN_READS} results with "contents".`,
  )
}

const Row = Type.Object({ url: Type.String(), id: Type.Optional(Type.String()) })
const searchReply = Type.Object({ results: Type.Array(Row) })

const contentsInput = params(
  {
    urls: optional(
      list('URLs of 1 to 100 pages.', Type.String({ minLength: 1, maxLength: 2_048 }), 100),
    ),
    ids: optional(
      list(
        'Result ids of semantic/search, 1 to 100.',
        Type.String({ minLength: 1, maxLength: 2_048 }),
        100,
      ),
    ),
    ...contentFields,
  },
  { anyOf: [{ required: ['urls'] }, { required: ['ids'] }] },
)
type ContentsInput = Static<typeof contentsInput>

const CONTENT_FIELDS = ['text', 'highlights', 'summary'] as const

/**
 * The content fields requested for each page. Without any enabled field it is the text, as at the
 * vendor.
 */
function requestedFields(input: ContentsInput): Data {
  const requested = CONTENT_FIELDS.filter(
    (name) => input[name] !== undefined && input[name] !== false,
  )
  return requested.length === 0
    ? { text: true }
    : Object.fromEntries(requested.map((name): [string, unknown] => [name, input[name]]))
}

/** The vendor takes ids and URLs in one list. Duplicates are read and charged once. */
function requestedPages({ urls, ids }: ContentsInput): string[] {
  return [...new Set([...(urls ?? []), ...(ids ?? [])])]
}

const contentsReply = Type.Object({
  results: Type.Array(Row),
  statuses: Type.Optional(Type.Array(Type.Object({ id: Type.String(), status: Type.String() }))),
})

/**
 * A content field counts if it was requested, is not empty, and the vendor reports no error for its
 * page.
 */
function contentsOutcome(
  { body }: Reply<Static<typeof contentsReply>>,
  input: ContentsInput,
): Outcome {
  const fields = Object.keys(requestedFields(input))
  const requested = requestedPages(input).length * fields.length
  const errors = new Set(
    (body.statuses ?? []).filter(({ status }) => status === 'error').map(({ id }) => id),
  )
  const pages = body.results.filter((row) => !errors.has(row.id ?? row.url) && !errors.has(row.url))
  const delivered = pages.reduce(
    (sum, row) => sum + fields.filter((name) => isFilled(field(row, name))).length,
    0,
  )
  if (delivered === 0) return empty(body)
  return {
    kind: delivered < requested ? 'partial' : 'done',
    data: body,
    units: Math.min(delivered, requested),
  }
}

export const service = defineService({
  id: 'semantic',
  title: 'Search the web by meaning',
  category: 'web search',
  vendor: exa,
  returns,
  actions: {
    search: call({
      title: 'Search the web by meaning',
      summary:
        'Find web pages, people or companies that answer a question, by meaning instead of keywords.',
      description:
        'Returns ranked results with URL, title and date, and optionally the text, highlights or a summary of each. With category people or company, the results are profiles with structured facts.',
      keywords: [
        'neural search',
        'google',
        'find pages',
        'news search',
        'research papers',
        'linkedin profiles',
        'similar pages',
      ],
      input: searchInput,
      example: { query: 'how do group commits make a ledger faster', type: 'auto', numResults: 5 },
      price: flat(cents('1')),
      priceSource: 'Vendor list price $7 per 1000 searches with ten results, 2026-09.',
      timeoutMs: 90_000,
      untrustedContent: true,
      check: checkCategory,
      request: searchRequest,
      followUps: [searchAgain],
      // No retry, because each attempt would be paid.
      merchant: { ...merchant, request: (input) => post('/search', searchBody(input)) },
      reply: searchReply,
      outcome: ({ body }) => found(body, body.results),
      ...inSearchForCallsOnly,
      inHouse: 'semantic.search',
      inHouseCheck: checkOwn,
    }),
    contents: call({
      title: 'Text and summaries of known pages',
      summary: 'Read the text, highlights or a summary of up to 100 known pages in one call.',
      description:
        'The cheapest way to read static pages; scripts do not run. Unreadable pages are listed in `statuses`. They are not charged, nor is an empty field. Without a vendor key the gateway reads the pages itself. Its language model writes the summaries; without one they are omitted and named in `notices`.',
      keywords: [
        'read page',
        'page text',
        'extract article',
        'fetch url',
        'summarize a page',
        'scrape static page',
      ],
      input: contentsInput,
      example: {
        urls: ['https://example.com/', 'https://www.iana.org/help/example-domains'],
        text: true,
      },
      price: {
        kind: 'unit',
        rate: cents('0.1'),
        unit: 'page and content field',
        atMost: (input) =>
          requestedPages(input).length * Object.keys(requestedFields(input)).length,
        counted: { by: 'list' },
        rounding: 'whole_cent',
        minimum: cents('1'),
      },
      priceSource: 'Vendor list price $1 per 1000 pages and content type, 2026-09.',
      timeoutMs: 60_000,
      untrustedContent: true,
      check: ({ urls }, checkAddress) =>
        urls?.forEach((url, index) => requireWebAddress(url, `urls[${index}]`, checkAddress)),
      request: (input) =>
        post('/contents', {
          urls: requestedPages(input),
          ...requestedFields(input),
          maxAgeHours: input.maxAgeHours,
        }),
      merchant,
      reply: contentsReply,
      outcome: contentsOutcome,
      inHouse: 'semantic.contents',
    }),
  },
})
