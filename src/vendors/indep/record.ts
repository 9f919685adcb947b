import { Type, type Static } from 'typebox'
import { AppError } from '../../errors/app-error.ts'
import { cents } from '../../lib/money.ts'
import { call, defineService, params } from '../../catalog/vocabulary/define.ts'
import type { Outcome } from '../../catalog/vocabulary/outcome.ts'
import { found } from '../shared/records.ts'
import { flat } from '../../catalog/vocabulary/tariff.ts'
import {
  get,
  keyHeader,
  type Reply,
  type Vendor,
  type WireRequest,
} from '../../catalog/vocabulary/wire.ts'
import { choice, flag, list, optional, text, whole } from '../../catalog/vocabulary/fields.ts'
import { field, textField, vendorFailure } from '../../catalog/answers/vendor-failure.ts'

const brave: Vendor = {
  baseUrl: 'https://api.search.brave.com/res/v1',
  auth: keyHeader('x-subscription-token'),
  limits: { perSecond: 50 },
  docsUrl: 'https://api-dashboard.search.brave.com/app/documentation/web-search/get-started',
  readFailure: (reply) => {
    const error = field(reply.body, 'error')
    const vendorCode = textField(error, 'code')
    // A wrong token comes as 422, as wrong parameters do; a used-up month as 429, as haste does.
    const code = /TOKEN/.test(vendorCode)
      ? 'upstream_not_configured'
      : /QUOTA/.test(vendorCode)
        ? 'upstream_payment'
        : undefined
    return vendorFailure(reply, { code, vendorCode, message: field(error, 'detail') })
  },
}

const MAX_WORDS = 50
const SECTIONS = ['web', 'news', 'videos', 'discussions', 'faq', 'infobox', 'locations'] as const

const commonFields = {
  q: text(
    'What to look for: at most 400 characters and 50 words. Operators such as site: and "quotes" work.',
    400,
  ),
  offset: whole('Which page of results, from 0 to 9.', 0, 9, { default: 0 }),
  country: optional(
    text('Country whose results come first, as a two-letter code such as "us", or "ALL".', 3, {
      pattern: '^([A-Za-z]{2}|ALL)$',
    }),
  ),
  search_lang: optional(
    text('Language of the results, such as "en" or "pt-br".', 10, {
      pattern: '^[a-z]{2,3}(-[a-z]{2,4})?$',
    }),
  ),
  freshness: optional(
    text(
      'Only pages found in the past day (pd), week (pw), month (pm) or year (py), or between two dates: "2026-01-01to2026-02-01".',
      22,
      {
        pattern: '^(p[dwmy]|\\d{4}-\\d{2}-\\d{2}to\\d{4}-\\d{2}-\\d{2})$',
      },
    ),
  ),
  safesearch: optional(
    choice('How strictly adult results are left out.', ['off', 'moderate', 'strict']),
  ),
  extra_snippets: flag('Up to five further passages of each result.', { default: false }),
}
const webInput = params({
  ...commonFields,
  count: whole('Results per page, 1 to 20.', 1, 20, { default: 20 }),
  result_filter: kindsOfResults(
    `Only these kinds of results, as a list or separated by commas: ${SECTIONS.join(', ')}.`,
  ),
})
const newsInput = params({
  ...commonFields,
  count: whole('Results per page, 1 to 50.', 1, 50, { default: 20 }),
  result_filter: kindsOfResults(
    'As for a search of the web, and "news" must be among them: there are no other results here.',
  ),
})

function kindsOfResults(description: string) {
  return optional(
    Type.Union(
      [
        list('Kinds of results.', Type.Enum([...SECTIONS]), 7, { uniqueItems: true }),
        Type.String({ pattern: `^(${SECTIONS.join('|')})(,(${SECTIONS.join('|')}))*$` }),
      ],
      { description },
    ),
  )
}

function checkWords({ q }: { readonly q: string }): void {
  const words = q.trim().split(/\s+/).length
  if (words > MAX_WORDS)
    throw new AppError('invalid_params', `"q" has ${words} words; the most is ${MAX_WORDS}.`, {
      param: 'q',
      fix: 'Shorten the query.',
    })
}

function checkNews(input: Static<typeof newsInput>): void {
  checkWords(input)
  const { result_filter: kinds } = input
  if (kinds === undefined || (Array.isArray(kinds) ? kinds : kinds.split(',')).includes('news'))
    return
  throw new AppError('invalid_params', 'A search of the news brings no other kinds of results.', {
    param: 'result_filter',
    fix: 'Leave "result_filter" out, or call indep/search for other kinds.',
  })
}

type Query = Omit<Static<typeof webInput>, 'count'> & { readonly count: number }

function searchRequest(
  path: string,
  { country, extra_snippets, result_filter, ...rest }: Query,
): WireRequest {
  const query = {
    ...rest,
    country: country?.toUpperCase(),
    result_filter: Array.isArray(result_filter) ? result_filter.join(',') : result_filter,
    // Plans without extra snippets refuse the parameter, also when it says false.
    extra_snippets: extra_snippets ? true : undefined,
    // Otherwise the texts carry <strong> marks.
    text_decorations: false,
  }
  // The vendor charges for answers alone, so asking again after a server error costs nothing.
  return { ...get(path, query), retry: { times: 1, afterMs: 500 } }
}

const webReply = Type.Object({ type: Type.Optional(Type.String()) })
const newsReply = Type.Object({ results: Type.Optional(Type.Array(Type.Unknown())) })

/** Sections without results are left out by the vendor. */
function webOutcome({ body }: Reply<Static<typeof webReply>>): Outcome {
  return found(
    body,
    SECTIONS.map((section) => field(field(body, section), 'results')),
  )
}

const terms = {
  price: flat(cents('1')),
  priceSource: 'Vendor list price $5 per 1000 requests, 2026-09.',
  timeoutMs: 20_000,
  untrustedContent: true,
  check: checkWords,
}

export const service = defineService({
  id: 'indep',
  title: 'Search an independent index of the web',
  category: 'web search',
  vendor: brave,
  actions: {
    search: call({
      ...terms,
      summary: 'Search the web by keywords in an index that belongs to no large search engine.',
      description:
        'Returns web results with title, address and description, and sections such as news, videos or discussions where they fit. No results: no charge.',
      keywords: ['web search', 'google', 'keyword search', 'search engine', 'serp', 'site search'],
      input: webInput,
      example: { q: 'postgres group commit', count: 5, freshness: 'py' },
      request: (input) => searchRequest('/web/search', input),
      reply: webReply,
      outcome: webOutcome,
    }),
    news: call({
      ...terms,
      summary: 'Search recent news articles by keywords.',
      description: 'Returns articles with title, address, source and age. No results: no charge.',
      keywords: ['news search', 'headlines', 'press', 'articles', 'current events'],
      input: newsInput,
      example: { q: 'semiconductor exports', count: 5, freshness: 'pw' },
      check: checkNews,
      // The vendor knows this filter for the web alone.
      request: ({ result_filter: _kinds, ...input }) => searchRequest('/news/search', input),
      reply: newsReply,
      outcome: ({ body }) => found(body, body.results ?? []),
    }),
  },
})
