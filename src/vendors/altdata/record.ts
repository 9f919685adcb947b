import { Type, type Static, type TObject } from 'typebox'
import type { ErrorCode } from '../../errors/catalog.ts'
import { cents, type Micros } from '../../lib/money.ts'
import { call, defineService, params, type CallAction } from '../../catalog/vocabulary/define.ts'
import {
  day,
  exactlyOne,
  flag,
  list,
  optional,
  text,
  texts,
  whole,
} from '../../catalog/vocabulary/fields.ts'
import { empty } from '../../catalog/vocabulary/outcome.ts'
import { isFilled } from '../../catalog/answers/filled.ts'
import { field, vendorFailure } from '../../catalog/answers/vendor-failure.ts'
import type { Counted } from '../../catalog/vocabulary/tariff.ts'
import { get, keyHeader, type QueryValue, type Vendor } from '../../catalog/vocabulary/wire.ts'

const akta: Vendor = {
  baseUrl: 'https://api.akta.pro/api',
  auth: keyHeader('x-api-key'),
  docsUrl: 'https://docs.akta.pro/',
  limits: { perSecond: 1.5 },
  readFailure: (reply) => {
    const message =
      field(reply.body, 'message') ?? field(reply.body, 'detail') ?? field(reply.body, 'error')
    return vendorFailure(reply, { code: codeOf(reply.status, message), message })
  },
}

const WANTING =
  /\b(?:insufficient|not enough|no (?:more|remaining)|out of|exhausted|exceeded|used up|too low)\b/i
const CREDIT = /\b(?:credits?|balance)\b/i

/** Used-up credit is told with several statuses. Not every answer about a balance is: a company that is not known is named as it was asked for. */
function codeOf(status: number, message: unknown): ErrorCode | undefined {
  if (status === 404) return 'no_results'
  return status < 500 &&
    typeof message === 'string' &&
    CREDIT.test(message) &&
    WANTING.test(message)
    ? 'upstream_payment'
    : undefined
}

const CENTS_PER_CREDIT = cents('5')
const SECTIONS = [
  'firmographic',
  'business_model',
  'company_assessment',
  'trust_signal',
  'company_hierarchy',
  'digital_presence',
  'financial_estimate',
  'location',
  'management_profile',
  'product_offering',
  'strategic_signal',
  'customer_profile',
  'industry',
  'technology',
  'funding_detail',
  'mna_and_investment',
] as const
/** 35¢, the most that a section costs. */
const CREDITS_A_SECTION = 7
/** 4¢, the least that one costs. */
const SECTIONS_A_CREDIT = 1.25
const USUAL_CREDITS_A_SECTION = 2.5

type Report<S extends TObject> = Pick<CallAction, 'summary' | 'keywords'> & {
  readonly input: S
  readonly example: Partial<Static<S>>
  readonly path: string
  /** What is asked of the vendor, where it has other names than ours. */
  readonly asked?: (input: Static<S>) => Readonly<Record<string, unknown>>
  /** The most credits that this input can use: held. What the vendor says it used is charged. */
  readonly mostCredits: (input: Static<S>) => number
  readonly counted: Counted<Static<S>>
  /** What to reckon with when the vendor does not say. */
  readonly usualCredits: (input: Static<S>) => number
  readonly minimum?: Micros
  /** The price in words: callers never see a credit. */
  readonly advertised: { readonly least: Micros; readonly most: Micros; readonly unit: string }
  readonly isHit: (body: unknown, input: Static<S>) => boolean
}

/** Every report is one GET, charged by the credits that its answer names. The vendor answers a path without its last slash by a redirect. */
function report<S extends TObject>({
  path,
  asked = (input) => input,
  mostCredits,
  counted,
  usualCredits,
  minimum,
  advertised,
  isHit,
  ...spec
}: Report<S>): CallAction {
  return call({
    ...spec,
    price: {
      kind: 'unit',
      rate: CENTS_PER_CREDIT,
      unit: 'credit',
      advertised,
      atMost: mostCredits,
      counted,
      rounding: 'whole_cent',
      ...(minimum === undefined ? {} : { minimum }),
    },
    priceSource: 'Vendor list price, 20 credits a US dollar, 2026-09.',
    timeoutMs: 90_000,
    untrustedContent: true,
    request: (input) => get(path, queryOf(asked(input))),
    reply: Type.Object({ credits_consumed: Type.Optional(Type.Number()) }),
    outcome: ({ body }, input) =>
      isHit(body, input)
        ? { kind: 'done', data: body, units: body.credits_consumed ?? usualCredits(input) }
        : empty(body),
  })
}

/** Lists travel in one field, with commas. */
function queryOf(input: Readonly<Record<string, unknown>>): Record<string, QueryValue> {
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name,
      (Array.isArray(value) ? value.join(',') : value) as QueryValue,
    ]),
  )
}

const company = text('Domain, address or permalink of the company.', 500)
const offset = whole('Rows to skip.', 0, 100_000, { default: 0 })
const hasRows = (body: unknown) => isFilled(field(body, 'data'))

/** For each started fifty reviews. */
const CREDITS_FOR_REVIEWS = 1.5
/** Reviews of so many products cost less than the most that is told. */
const PRODUCTS_A_CALL = 2

const REVIEWS = {
  mostCredits: () => 4.2,
  // What there is to read decides, more than the limit.
  counted: { by: 'vendor' } as const,
  minimum: cents('11'),
  advertised: { least: cents('11'), most: cents('21'), unit: 'call' },
  isHit: hasRows,
}

const newsInput = params(
  {
    company: optional(company),
    query: optional(text('Words to look for.', 500)),
    title: optional(text('Words of the title.', 500)),
    industry: optional(
      text(
        'Code of an industry in the vendor’s own list, several with commas. An industry in words is a query.',
        200,
      ),
    ),
    start_date: optional(day('First day, at most six months ago.')),
    end_date: optional(day('Last day.')),
    limit: whole('Maximum number of articles, 1 to 1000; ten cost about 2¢.', 1, 1_000, {
      default: 10,
    }),
    offset,
    group_articles: optional(flag('Groups articles about one event.')),
    news_score_list: optional(
      list('How much an article matters.', Type.Enum(['High', 'Medium', 'Low', 'all']), 4),
    ),
    sentiment_list: optional(
      list('Tone.', Type.Enum(['positive', 'negative', 'neutral', 'all']), 4),
    ),
    countries: optional(texts('Countries as ISO 3166 alpha-3 codes, such as FRA.')),
    type_list: optional(texts('Codes of kinds of news, such as SD01 for product launches.')),
    blacklisted: optional(texts('Domains of publishers to leave out.')),
  },
  exactlyOne('company', 'query', 'title', 'industry'),
)

export const service = defineService({
  id: 'altdata',
  title: 'Company reports, news and reviews',
  category: 'people and companies',
  vendor: akta,
  actions: {
    'company-enrich': report({
      summary:
        'Read chosen sections about a company, such as firmographics, management or technology; 4 to 35¢ a section.',
      keywords: [
        'company profile',
        'firmographics',
        'management team',
        'revenue estimate',
        'enrich company',
      ],
      input: params({
        company,
        sections: list(
          'Sections to read; each one costs. The last two need the vendor’s enterprise plan.',
          Type.Enum(SECTIONS),
          SECTIONS.length,
          { uniqueItems: true },
        ),
      }),
      example: { company: 'example.com', sections: ['firmographic', 'technology'] },
      path: '/v1/company/enrichment/',
      mostCredits: ({ sections }) => sections.length * CREDITS_A_SECTION,
      // How much there is in a section decides what it costs, and nobody knows that before.
      counted: { by: 'vendor', least: ({ sections }) => sections.length / SECTIONS_A_CREDIT },
      usualCredits: ({ sections }) => sections.length * USUAL_CREDITS_A_SECTION,
      minimum: cents('4'),
      advertised: { least: cents('4'), most: cents('35'), unit: 'section' },
      isHit: (body, { sections }) =>
        sections.some(
          (name) => isFilled(field(body, name)) || isFilled(field(field(body, 'data'), name)),
        ),
    }),
    news: report({
      summary:
        'Find scored and summarised news about a company, a topic or an industry; about 2¢ for ten articles.',
      keywords: ['company news', 'press', 'sentiment', 'media monitoring'],
      input: newsInput,
      example: { company: 'example.com', limit: 5 },
      path: '/v1/news/',
      asked: ({ group_articles, ...rest }) => ({ ...rest, unique_article: group_articles }),
      mostCredits: ({ limit }) => Math.ceil(limit / 10) * 0.6,
      counted: { by: 'number', field: 'limit' },
      usualCredits: ({ limit }) => Math.ceil(limit / 10) * 0.4,
      advertised: { least: cents('2'), most: cents('3'), unit: '10 articles' },
      isHit: hasRows,
    }),
    'employee-reviews': report({
      ...REVIEWS,
      summary: 'Read what employees say about a company; 11 to 21¢.',
      keywords: ['glassdoor', 'employer rating', 'working conditions'],
      input: params({
        company,
        limit: whole('Maximum number of reviews, 1 to 100.', 1, 100, { default: 10 }),
        offset,
      }),
      usualCredits: ({ limit }) => Math.ceil(limit / 50) * CREDITS_FOR_REVIEWS,
      example: { company: 'example.com', limit: 5 },
      path: '/v1/company/employee-reviews/',
    }),
    'product-reviews': report({
      ...REVIEWS,
      summary:
        'List the products of a company and, for the ids of one or two of them, read what customers say; 11 to 21¢.',
      keywords: [
        'g2',
        'capterra',
        'customer reviews',
        'software ratings',
        'product reviews',
        'product list',
      ],
      input: params({
        company,
        products: optional(
          list(
            'Ids of products to read reviews of, at most two. A call without any lists the products with their ids, and no reviews.',
            text('Id of a product.', 200, { pattern: '^[^,]+$' }),
            PRODUCTS_A_CALL,
            { uniqueItems: true },
          ),
        ),
        limit: whole('Maximum number of reviews of each product, 1 to 50.', 1, 50, { default: 10 }),
        offset,
      }),
      usualCredits: ({ products }) =>
        products === undefined ? 0.5 : products.length * CREDITS_FOR_REVIEWS,
      example: { company: 'example.com', limit: 5 },
      path: '/v1/company/product-reviews/',
    }),
  },
})
