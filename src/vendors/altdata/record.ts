import { Type, type Static, type TObject } from '../../lib/schema.ts'
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
import { returns } from './returns.ts'

const akta: Vendor = {
  baseUrl: 'https://api.akta.pro/api',
  auth: keyHeader('x-api-key'),
  docsUrl: 'https://docs.akta.pro/',
  limits: { perSecond: 1.5 },
  readFailure: (reply) => {
    const message =
      field(reply.body, 'message') ?? field(reply.body, 'detail') ?? field(reply.body, 'error')
    return vendorFailure(reply, { code: mapVendorCode(reply.status, message), message })
  },
}

const WANTING =
  /\b(?:insufficient|not enough|no (?:more|remaining)|out of|exhausted|exceeded|used up|too low)\b/i
const CREDIT = /\b(?:credits?|balance)\b/i

/**
 * Several statuses report used-up credit. Some mention "balance" for other reasons: an unknown
 * company is quoted in the message.
 */
function mapVendorCode(status: number, message: unknown): ErrorCode | undefined {
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
/** 35¢, the maximum price of a section. */
const CREDITS_PER_SECTION = 7
/** 4¢, the minimum price of a section. */
const SECTIONS_PER_CREDIT = 1.25
const USUAL_CREDITS_PER_SECTION = 2.5

type Report<S extends TObject> = Pick<CallAction, 'title' | 'summary' | 'keywords'> & {
  readonly input: S
  readonly example: Partial<Static<S>>
  readonly path: string
  /** The vendor's parameters, if their names differ. */
  readonly toVendorInput?: (input: Static<S>) => Readonly<Record<string, unknown>>
  /**
   * The most credits that this input can use. The call holds their price and charges the vendor's
   * reported credits.
   */
  readonly mostCredits: (input: Static<S>) => number
  readonly counted: Counted<Static<S>>
  /** The credits to charge if the vendor does not report them. */
  readonly usualCredits: (input: Static<S>) => number
  readonly minimum?: Micros
  /** The price in words. Callers never see credits. */
  readonly advertised: { readonly least: Micros; readonly most: Micros; readonly unit: string }
  readonly isHit: (body: unknown, input: Static<S>) => boolean
}

/**
 * A report is one GET, charged by the credits in its answer. Paths end with a slash, since the
 * vendor redirects others.
 */
function report<S extends TObject>({
  path,
  toVendorInput = (input) => input,
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
    priceSource: 'Vendor list price, 20 credits per US dollar, 2026-09.',
    timeoutMs: 90_000,
    untrustedContent: true,
    request: (input) => get(path, queryOf(toVendorInput(input))),
    reply: Type.Object({ credits_consumed: Type.Optional(Type.Number()) }),
    outcome: ({ body }, input) =>
      isHit(body, input)
        ? { kind: 'done', data: body, units: body.credits_consumed ?? usualCredits(input) }
        : empty(body),
  })
}

/** Lists become one parameter with commas. */
function queryOf(input: Readonly<Record<string, unknown>>): Record<string, QueryValue> {
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name,
      (Array.isArray(value) ? value.join(',') : value) as QueryValue,
    ]),
  )
}

const company = text('Domain, URL or permalink of the company.', 500)
const offset = whole('Rows to skip.', 0, 100_000, { default: 0 })
const hasRows = (body: unknown) => isFilled(field(body, 'data'))

/** For each started fifty reviews. */
const CREDITS_FOR_REVIEWS = 1.5
/** Reviews of this many products stay below the published maximum. */
const PRODUCTS_PER_CALL = 2

const REVIEWS = {
  mostCredits: () => 4.2,
  // The vendor decides the count by the available reviews, not by the limit.
  counted: { by: 'vendor' } as const,
  minimum: cents('11'),
  advertised: { least: cents('11'), most: cents('21'), unit: 'call' },
  isHit: hasRows,
}

const newsInput = params(
  {
    company: optional(company),
    query: optional(text('Words to search for.', 500)),
    title: optional(text('Words in the title.', 500)),
    industry: optional(
      text(
        "Industry code from the vendor's own list, several separated by commas. To search for an industry by name, use query.",
        200,
      ),
    ),
    start_date: optional(day('First day, at most six months ago.')),
    end_date: optional(day('Last day.')),
    limit: whole('Maximum number of articles, 1 to 1,000. Ten cost about 2¢.', 1, 1_000, {
      default: 10,
    }),
    offset,
    group_articles: optional(flag('Groups articles about the same event.')),
    news_score_list: optional(
      list('Minimum relevance of the articles.', Type.Enum(['High', 'Medium', 'Low', 'all']), 4),
    ),
    sentiment_list: optional(
      list('Tone.', Type.Enum(['positive', 'negative', 'neutral', 'all']), 4),
    ),
    countries: optional(texts('Countries as ISO 3166 alpha-3 codes, such as FRA.')),
    type_list: optional(texts('Codes of news types, such as SD01 for product launches.')),
    blacklisted: optional(texts('Publisher domains to exclude.')),
  },
  exactlyOne('company', 'query', 'title', 'industry'),
)

export const service = defineService({
  id: 'altdata',
  title: 'Company reports, news and reviews',
  category: 'people and companies',
  vendor: akta,
  returns,
  actions: {
    'company-enrich': report({
      title: 'Company report by section',
      summary:
        'Read selected sections about a company, such as firmographics, management or technology. 4¢ to 35¢ per section.',
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
          "Sections to read; each is charged. The last two require the vendor's enterprise plan.",
          Type.Enum(SECTIONS),
          SECTIONS.length,
          { uniqueItems: true },
        ),
      }),
      example: { company: 'example.com', sections: ['firmographic', 'technology'] },
      path: '/v1/company/enrichment/',
      mostCredits: ({ sections }) => sections.length * CREDITS_PER_SECTION,
      // The price depends on the amount of data in a section, which is unknown before the call.
      counted: { by: 'vendor', least: ({ sections }) => sections.length / SECTIONS_PER_CREDIT },
      usualCredits: ({ sections }) => sections.length * USUAL_CREDITS_PER_SECTION,
      minimum: cents('4'),
      advertised: { least: cents('4'), most: cents('35'), unit: 'section' },
      isHit: (body, { sections }) =>
        sections.some(
          (name) => isFilled(field(body, name)) || isFilled(field(field(body, 'data'), name)),
        ),
    }),
    news: report({
      title: 'Scored company news',
      summary:
        'Find scored and summarized news about a company, topic or industry. About 2¢ for ten articles.',
      keywords: ['company news', 'press', 'sentiment', 'media monitoring'],
      input: newsInput,
      example: { company: 'example.com', limit: 5 },
      path: '/v1/news/',
      toVendorInput: ({ group_articles, ...rest }) => ({ ...rest, unique_article: group_articles }),
      mostCredits: ({ limit }) => Math.ceil(limit / 10) * 0.6,
      counted: { by: 'number', field: 'limit' },
      usualCredits: ({ limit }) => Math.ceil(limit / 10) * 0.4,
      advertised: { least: cents('2'), most: cents('3'), unit: '10 articles' },
      isHit: hasRows,
    }),
    'employee-reviews': report({
      ...REVIEWS,
      title: 'Employee reviews of a company',
      summary: 'Read employee reviews of a company. 11¢ to 21¢.',
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
      title: 'Products and customer reviews',
      summary:
        'List the products of a company, or read customer reviews of one or two of them. 11¢ to 21¢.',
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
            'Up to two product ids to read reviews of. Without ids, the call lists the products with their ids and no reviews.',
            text('Id of a product.', 200, { pattern: '^[^,]+$' }),
            PRODUCTS_PER_CALL,
            { uniqueItems: true },
          ),
        ),
        limit: whole('Maximum number of reviews per product, 1 to 50.', 1, 50, { default: 10 }),
        offset,
      }),
      usualCredits: ({ products }) =>
        products === undefined ? 0.5 : products.length * CREDITS_FOR_REVIEWS,
      example: { company: 'example.com', limit: 5 },
      path: '/v1/company/product-reviews/',
    }),
  },
})
