import { Type, type Static, type TProperties } from '../../lib/schema.ts'
import { cents } from '../../lib/money.ts'
import { call, defineService, params, type CallAction } from '../../catalog/vocabulary/define.ts'
import {
  amount,
  choice,
  day,
  domainName,
  exactlyOne,
  flag,
  list,
  optional,
  text,
  texts,
  whole,
} from '../../catalog/vocabulary/fields.ts'
import { filledRows } from '../../catalog/answers/filled.ts'
import { tempoMerchant } from '../../catalog/vocabulary/merchant.ts'
import { empty, type Outcome } from '../../catalog/vocabulary/outcome.ts'
import { flat, type Price } from '../../catalog/vocabulary/tariff.ts'
import { field, vendorFailure } from '../../catalog/answers/vendor-failure.ts'
import { bearer, get, post, type Reply, type Vendor } from '../../catalog/vocabulary/wire.ts'
import { returns } from './returns.ts'

const fundable: Vendor = {
  baseUrl: 'https://www.tryfundable.ai/api/v1',
  auth: bearer(),
  docsUrl: 'https://docs.tryfundable.ai/',
  limits: { perSecond: 3 },
  readFailure: (reply) => {
    const error = field(reply.body, 'error')
    const vendorCode = field(error, 'code')
    return vendorFailure(reply, {
      code: reply.status === 404 ? 'no_results' : undefined,
      vendorCode,
      message: field(error, 'message'),
    })
  },
}

/** Not used for company searches, for which the merchant charges more than the price here. */
const merchant = { merchant: { at: tempoMerchant('https://mpp.orthogonal.com/fundable') } }

const ids = (description: string) => optional(texts(description, 100))
const money = (description: string) => optional(amount(description))
const date = (description: string) => optional(day(description))
const group = (properties: TProperties, description: string) =>
  optional(params(properties, { description }))

const SERIES = 'ABCDEFGHIJKLM'.split('').map((letter) => `SERIES_${letter}`)
const FINANCING_TYPES = [
  ...SERIES,
  'SEED',
  'SAFE',
  'CONVERTIBLE_NOTE',
  'EQUITY',
  'PREFERRED',
  'SECONDARY_MARKET',
  'DEBT_FINANCING',
  'GRANT',
  'NON_EQUITY_ASSISTANCE',
  'CROWDFUNDING',
  'INITIAL_COIN_OFFERING',
  'FUND',
]

const financing = params({
  type: choice('Type of financing.', FINANCING_TYPES),
  pre: optional(flag('The previous round, such as pre-seed.')),
  extension: optional(flag('An extension of the round.')),
})

/** Pages are small by default and by limit, because every row is charged. */
const paging = {
  page: whole('Page number, from 0.', 0, 10_000, { default: 0 }),
  page_size: whole('Rows per page, 1 to 25. Each returned row costs 10¢.', 1, 25, { default: 10 }),
}

type Paging = { readonly page: number; readonly page_size: number }

const dealsInput = params({
  identifiers: group({ deal_ids: ids('Deal ids.') }, 'Deals by id.'),
  deal: group(
    {
      financing_types: optional(list('Types of financing; one of them must match.', financing, 20)),
      size_min: money('Minimum size in US dollars.'),
      size_max: money('Maximum size in US dollars.'),
      date_start: date('Announced on or after this day.'),
      date_end: date('Announced on or before this day.'),
      created_start: date('Recorded on or after this day.'),
      created_end: date('Recorded on or before this day.'),
    },
    'Description of the deal.',
  ),
  company: group(
    {
      company_ids: ids('Company ids.'),
      locations: ids('Places, as permalinks. An unknown permalink returns no rows.'),
      industries: ids('Industries, as permalinks. An unknown permalink returns no rows.'),
      super_categories: ids('Groups of industries.'),
      employee_count: ids('Employee ranges, such as 1-10 or 10001+.'),
      ipo_status: optional(text('Whether the company is publicly listed.', 50)),
      total_raised_min: money('Minimum total funding in US dollars.'),
      total_raised_max: money('Maximum total funding in US dollars.'),
    },
    'Description of the company.',
  ),
  investors: group(
    { investor_ids: ids('Investor ids.'), people_ids: ids('People ids.') },
    'Filters by investors.',
  ),
  ...paging,
  sort_by: optional(
    choice('Order of the rows.', [
      'most_recent_deal',
      'oldest_deal',
      'largest_raise',
      'smallest_raise',
    ]),
  ),
})

/**
 * A later page starts where the previous one ends, so a smaller page size would return other rows.
 */
const leastPageSize = ({ page, page_size: size }: Paging): number => (page === 0 ? 1 : size)
const perRow: Price<Paging> = {
  kind: 'unit',
  rate: cents('10'),
  unit: 'row',
  atMost: ({ page_size }) => page_size,
  counted: { by: 'number', field: 'page_size', least: leastPageSize },
}

/** All results are under `data`, in lists with different names. */
const reply = Type.Object({ success: Type.Literal(true), data: Type.Object({}) })

function rowsOf(data: unknown, ...lists: readonly string[]): number {
  return lists
    .map((name) => field(data, name))
    .reduce<number>((sum, rows) => sum + (Array.isArray(rows) ? filledRows(rows).length : 0), 0)
}

function outcomeOf(...lists: readonly string[]) {
  return ({ body }: Reply<Static<typeof reply>>): Outcome => {
    const units = rowsOf(body.data, ...lists)
    return units === 0 ? empty(body) : { kind: 'done', data: body, units }
  }
}

const shared = {
  priceSource:
    'List price of this gateway, 2026-11; the vendor bills one credit per row and a tenth for a company search.',
  timeoutMs: 60_000,
  untrustedContent: true,
  reply,
} satisfies Partial<CallAction>

const known = {
  domain: optional(domainName('Domain of the company.')),
  linkedin: optional(text('LinkedIn URL of the company.', 500)),
  crunchbase: optional(text('Crunchbase URL of the company.', 500)),
}

export const service = defineService({
  id: 'fundingdb',
  title: 'Funding rounds, investors and funded companies',
  category: 'people and companies',
  vendor: fundable,
  returns,
  actions: {
    deals: call({
      ...shared,
      ...merchant,
      title: 'Search funding rounds',
      summary: 'Search funding rounds by type, size, date, company and investor. 10¢ per row.',
      keywords: ['funding rounds', 'venture deals', 'startups that raised', 'investments'],
      input: dealsInput,
      example: {
        deal: { financing_types: [{ type: 'SEED' }], date_start: '2026-01-01' },
        page_size: 2,
      },
      price: perRow,
      request: (input) => post('/deals', input),
      outcome: outcomeOf('deals'),
    }),
    'investor-deals': call({
      ...shared,
      ...merchant,
      title: 'Deals of an investor',
      summary: 'List the deals of an investor. 10¢ per row.',
      keywords: ['portfolio', 'investments of a fund', 'what did they invest in'],
      input: params(
        { id: optional(text('Id of the investor.', 100)), ...known, ...paging },
        exactlyOne('id', 'domain', 'linkedin', 'crunchbase'),
      ),
      example: { domain: 'fund.example.com', page_size: 2 },
      price: perRow,
      request: (input) => get('/investor/deals', input),
      outcome: outcomeOf('deals'),
    }),
    'deal-investors': call({
      ...shared,
      ...merchant,
      title: 'Investors of a deal',
      summary: 'List the investors of a deal, both firms and angels.',
      keywords: ['who invested', 'lead investor', 'round participants'],
      input: params({
        id: text(
          'The id of a deal that fundingdb/deals or fundingdb/investor-deals returned.',
          100,
        ),
      }),
      example: { id: 'deal-1' },
      exampleNeeds: ['id'],
      price: flat(cents('10')),
      request: ({ id }) => get(`/deals/${encodeURIComponent(id)}/investors`),
      outcome: outcomeOf('investors', 'angel_investors'),
    }),
    'company-search': call({
      ...shared,
      title: 'Find a funded company',
      summary: 'Find a funded company by name, domain, LinkedIn URL or Crunchbase URL.',
      keywords: ['company id', 'look up a startup', 'company profile'],
      input: params(
        { name: optional(text('Name of the company.', 200)), ...known },
        exactlyOne('name', 'domain', 'linkedin', 'crunchbase'),
      ),
      example: { domain: 'example.com' },
      price: flat(cents('1')),
      request: (input) => get('/company/search', input),
      outcome: outcomeOf('companies'),
    }),
  },
})
