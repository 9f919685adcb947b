import { Type, type Static } from '../../lib/schema.ts'
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
import { checkOwnSearch, inSearch, rejectInSearch } from '../shared/in-house-search.ts'
import { returns } from './returns.ts'

const brave: Vendor = {
  baseUrl: 'https://api.search.brave.com/res/v1',
  auth: keyHeader('x-subscription-token'),
  limits: { perSecond: 50 },
  docsUrl: 'https://api-dashboard.search.brave.com/app/documentation/web-search/get-started',
  readFailure: (reply) => {
    const error = field(reply.body, 'error')
    const vendorCode = textField(error, 'code')
    // The vendor reports a wrong token as 422, like wrong parameters, and a used-up month as 429,
    // like too many requests.
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
    'Search words, at most 400 characters and 50 words. Operators such as site: and "quotes" work.',
    400,
  ),
  offset: whole('Page number, from 0 to 9.', 0, 9, { default: 0 }),
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
    choice('Strictness of the filter for adult content.', ['off', 'moderate', 'strict']),
  ),
  extra_snippets: flag('Up to five additional passages per result.', { default: false }),
}
const webInput = params({
  ...commonFields,
  count: whole('Results per page, 1 to 20.', 1, 20, { default: 20 }),
  result_filter: kindsOfResults(
    `Only these types of results, as a list or separated by commas: ${SECTIONS.join(', ')}.`,
  ),
})
const newsInput = params({
  ...commonFields,
  count: whole('Results per page, 1 to 50.', 1, 50, { default: 20 }),
  result_filter: kindsOfResults(
    'Like the parameter of indep/search. It must include "news", because this action has no other results.',
  ),
})

function kindsOfResults(description: string) {
  return optional(
    Type.Union(
      [
        list('Types of results.', Type.Enum([...SECTIONS]), 7, { uniqueItems: true }),
        Type.String({ pattern: `^(${SECTIONS.join('|')})(,(${SECTIONS.join('|')}))*$` }),
      ],
      { description },
    ),
  )
}

function checkWords({ q }: { readonly q: string }): void {
  const words = q.trim().split(/\s+/).length
  if (words > MAX_WORDS)
    throw new AppError(
      'invalid_params',
      `"q" has ${words} words; at most ${MAX_WORDS} are allowed.`,
      {
        param: 'q',
        fix: 'Shorten the query.',
      },
    )
}

function checkNews(input: Static<typeof newsInput>): void {
  checkWords(input)
  const { result_filter: kinds } = input
  if (kinds === undefined || (Array.isArray(kinds) ? kinds : kinds.split(',')).includes('news'))
    return
  throw new AppError('invalid_params', 'A news search returns no other types of results.', {
    param: 'result_filter',
    fix: 'Remove "result_filter", or call indep/search for other types.',
  })
}

function checkOwn({ q, extra_snippets, result_filter: kinds }: Query, kind: 'web' | 'news'): void {
  checkOwnSearch(q, 'q')
  rejectInSearch('extra_snippets', extra_snippets)
  const named = typeof kinds === 'string' ? kinds.split(',') : kinds
  rejectInSearch('result_filter', named?.includes(kind) === false)
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
    // Plans without extra snippets reject the parameter even if it is false.
    extra_snippets: extra_snippets ? true : undefined,
    // Otherwise the texts contain <strong> tags.
    text_decorations: false,
  }
  // The vendor charges only for answers, so a retry after a server error is free.
  return { ...get(path, query), retry: { times: 1, afterMs: 500 } }
}

const webReply = Type.Object({ type: Type.Optional(Type.String()) })
const newsReply = Type.Object({ results: Type.Optional(Type.Array(Type.Unknown())) })

/** The vendor omits sections without results. */
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
  returns,
  actions: {
    search: call({
      ...terms,
      title: 'Search an independent web index',
      summary: 'Search the web by keywords in an index that belongs to no large search engine.',
      description:
        'Returns web results with title, URL and description, plus sections such as news, videos or discussions. A search without results is not charged.',
      keywords: ['web search', 'google', 'keyword search', 'search engine', 'serp', 'site search'],
      input: webInput,
      example: { q: 'postgres group commit', count: 5, freshness: 'py' },
      request: (input) => searchRequest('/web/search', input),
      reply: webReply,
      outcome: webOutcome,
      ...inSearch,
      inHouse: 'indep.search',
      inHouseCheck: (input) => checkOwn(input, 'web'),
    }),
    news: call({
      ...terms,
      title: 'Search recent news',
      summary: 'Search recent news articles by keywords.',
      description:
        'Returns articles with title, URL, source and age. A search without results is not charged.',
      keywords: ['news search', 'headlines', 'press', 'articles', 'current events'],
      input: newsInput,
      example: { q: 'semiconductor exports', count: 5, freshness: 'pw' },
      check: checkNews,
      // The vendor supports this filter only for web searches.
      request: ({ result_filter: _kinds, ...input }) => searchRequest('/news/search', input),
      reply: newsReply,
      outcome: ({ body }) => found(body, body.results ?? []),
      ...inSearch,
      inHouse: 'indep.news',
      inHouseCheck: (input) => checkOwn(input, 'news'),
    }),
  },
})
