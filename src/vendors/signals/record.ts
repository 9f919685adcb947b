import { Type, type TProperties } from '../../lib/schema.ts'
import { cents } from '../../lib/money.ts'
import { call, defineService, params, type CallAction } from '../../catalog/vocabulary/define.ts'
import {
  choice,
  day,
  list,
  domainName,
  optional,
  text,
  texts,
  whole,
} from '../../catalog/vocabulary/fields.ts'
import { found } from '../shared/records.ts'
import { flat } from '../../catalog/vocabulary/tariff.ts'
import { field, vendorFailure } from '../../catalog/answers/vendor-failure.ts'
import { bearer, get, type QueryValue, type Vendor } from '../../catalog/vocabulary/wire.ts'
import { returns } from './returns.ts'

const signalbase: Vendor = {
  baseUrl: 'https://www.trysignalbase.com/api/v2',
  auth: bearer(),
  docsUrl: 'https://github.com/trysignalbase/docs',
  readFailure: (reply) => vendorFailure(reply, { message: field(reply.body, 'error') }),
}

const PRESETS = [
  'today',
  'yesterday',
  'last_7d',
  'last_14d',
  'last_30d',
  'last_60d',
  'last_90d',
  'last_6m',
  'last_1y',
  'last_2y',
  'this_week',
  'this_month',
  'this_quarter',
  'this_year',
  'last_week',
  'last_month',
  'last_quarter',
  'last_year',
] as const
const words = (description: string) => optional(texts(description))
const people = (description: string) => optional(whole(description, 0, 10_000_000))
const year = (description: string) => optional(whole(description, 1_800, 2_100))
const money = (description: string) => optional(whole(description, 0, 1_000_000_000_000))

const common = {
  page: whole('Page number, from 1.', 1, 10_000, { default: 1 }),
  limit: whole('Rows per page, 1 to 100. The price does not depend on it.', 1, 100, {
    default: 20,
  }),
  dateFrom: optional(day('First day.')),
  dateTo: optional(day('Last day.')),
  date_preset: optional(choice('Date range in words, instead of dateFrom and dateTo.', PRESETS)),
  countries: words('Only these countries, as two-letter codes.'),
  exclude_countries: words('Countries to exclude, as codes or names.'),
  search: optional(text('Words to search for.', 300)),
  sort_order: optional(choice('Order of the rows.', ['asc', 'desc'])),
}

const sortBy = <const Names extends string[]>(names: readonly [...Names]) =>
  optional(choice('Field to sort by.', names))
const verification = {
  verification_status: optional(
    list('Minimum confidence of the signal.', Type.Enum(['verified', 'unverified', 'pending']), 3),
  ),
}
const size = {
  employee_count_min: people('Minimum number of employees.'),
  employee_count_max: people('Maximum number of employees.'),
  founded_year_min: year('Founded in or after this year.'),
  founded_year_max: year('Founded in or before this year.'),
}
const company = {
  company_name: optional(text('Name of the company.', 200)),
  company_domain: optional(domainName('Domain of the company.')),
  company_linkedin_url: optional(text('LinkedIn URL of the company.', 500)),
}
const sectors = {
  categories: words('Categories of companies.'),
  subcategories: words('Subcategories of companies, by id such as fintech.'),
}
const work = {
  positions: words('Positions.'),
  departments: words('Departments.'),
  seniorities: words('Seniority levels.'),
}
const ROUNDS = ['pre-seed', 'seed', ...'abcdefgh'].map((name) =>
  name.length === 1 ? `series ${name}` : name,
)
const MORE_ROUNDS = [
  'angel',
  'grant',
  'crowdfunding',
  'growth',
  'debt',
  'debt financing',
  'equity',
  'fund',
  'ipo',
]
const CURRENCIES = [
  'USD',
  'EUR',
  'GBP',
  'CHF',
  'JPY',
  'INR',
  'CAD',
  'AUD',
  'SEK',
  'CNY',
  'NZD',
  'KRW',
  'SGD',
  'DKK',
  'BRL',
] as const
const amounts = { amount_min: money('Minimum amount.'), amount_max: money('Maximum amount.') }
const DEAL_SORT = ['occurred_at', 'discovered_at', 'amount', 'employee_count'] as const

/**
 * Lists become one parameter. Category names are joined with pipes, because they may contain
 * commas; all others with commas.
 */
function queryOf(input: Readonly<Record<string, unknown>>): Record<string, QueryValue> {
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name,
      (Array.isArray(value) ? value.join(name === 'categories' ? '|' : ',') : value) as QueryValue,
    ]),
  )
}

type Feed = Pick<CallAction, 'title' | 'summary' | 'keywords'> & {
  readonly path: string
  readonly filters: TProperties
  readonly example: Readonly<Record<string, unknown>>
}

/** Every feed is one GET with its own filters and the common ones. */
function feed({ path, filters, example, ...rest }: Feed): CallAction {
  return call({
    ...rest,
    input: params({ ...common, ...filters }),
    example,
    price: flat(cents('25')),
    priceSource: 'List price of this gateway, 2026-11; the vendor bills one credit per page.',
    timeoutMs: 60_000,
    untrustedContent: true,
    request: (input) => get(path, queryOf(input)),
    reply: Type.Object({ success: Type.Literal(true), data: Type.Array(Type.Unknown()) }),
    outcome: ({ body }) => found(body, body.data),
  })
}

export const service = defineService({
  id: 'signals',
  title: 'Sales signals in company news',
  category: 'people and companies',
  vendor: signalbase,
  returns,
  actions: {
    funding: feed({
      title: 'Recent funding rounds',
      summary:
        'List funding rounds by date, country, sector, round, amount and investor. Up to 100 rows.',
      keywords: ['funding rounds', 'startup raised money', 'series a', 'venture capital news'],
      path: '/signals/funding',
      filters: {
        ...company,
        ...sectors,
        ...amounts,
        ...verification,
        ...size,
        round: optional(list('Types of rounds.', Type.Enum([...ROUNDS, ...MORE_ROUNDS]), 10)),
        round_flavor: optional(
          choice('Special properties of the round.', ['bridge', 'extension', 'secondary']),
        ),
        industry: words('Exact industry names.'),
        currency: optional(choice('Currency of the amounts.', CURRENCIES)),
        investor_name: optional(text('Investor name.', 200)),
        sort_by: sortBy([...DEAL_SORT, 'founded_year']),
      },
      example: { date_preset: 'last_30d', countries: ['FR'], round: ['seed'], limit: 5 },
    }),
    acquisitions: feed({
      title: 'Recent acquisitions',
      summary: 'List acquisitions by date, country, sector, amount and buyer. Up to 100 rows.',
      keywords: [
        'mergers',
        'm&a',
        'company bought',
        'takeover',
        'acquired companies',
        'who acquired whom',
        'buyer',
        'exits',
      ],
      path: '/signals/acquisitions',
      filters: {
        ...company,
        ...sectors,
        ...amounts,
        ...verification,
        ...size,
        industry: words('Exact industry names.'),
        acquiring_company: optional(text('Name of the buyer.', 200)),
        acquirer_countries: words('Only buyers from these countries.'),
        exclude_acquirer_countries: words('No buyers from these countries.'),
        currency: optional(choice('Currency of the amounts.', ['USD', 'EUR'])),
        sort_by: sortBy(DEAL_SORT),
      },
      example: { date_preset: 'last_90d', limit: 5 },
    }),
    'job-changes': feed({
      title: 'People who changed jobs',
      summary:
        'List people who changed jobs, by company, role, department and level. Up to 100 rows.',
      keywords: ['new hire', 'new role', 'executive moves', 'promotions', 'promoted people'],
      path: '/signals/job-changes',
      filters: {
        ...company,
        ...work,
        city: optional(text('City.', 200)),
        personLinkedinUrl: optional(text('LinkedIn URL of the person.', 500)),
        new_role: optional(text('The new role.', 200)),
        source: optional(choice('Source of the signal.', ['linkedin', 'press_release', 'other'])),
        keyword: optional(text('Words to search for.', 200)),
        sort_by: sortBy(['occurred_at', 'discovered_at', 'person_name', 'company_name']),
      },
      example: { date_preset: 'last_14d', new_role: 'CFO', limit: 5 },
    }),
    hiring: feed({
      title: 'Companies that are hiring',
      summary:
        'List companies that are hiring, by position, place, department and level. Up to 100 rows.',
      keywords: ['job openings', 'growing teams', 'companies hiring'],
      path: '/signals/hiring',
      filters: {
        ...company,
        ...sectors,
        ...work,
        description: optional(text('Words in the description.', 300)),
        job_countries: words('Countries of the job, as two-letter codes.'),
        company_countries: words('Countries of the head office, as two-letter codes.'),
        states: words('US states, as two-letter codes.'),
        city: optional(text('City.', 200)),
        team_size: words('Team sizes, such as 51-200.'),
        applicants: words('Numbers of applicants, such as 0-25.'),
        sort_by: sortBy(['created_at', 'date_posted', 'title', 'company_name', 'location']),
      },
      example: { positions: ['data engineer'], job_countries: ['FR'], limit: 5 },
    }),
    investors: feed({
      title: 'Investors by type and place',
      summary: 'List investors by type, place and ticket size. Up to 100 rows.',
      keywords: ['venture capital firms', 'angel investors', 'vc list', 'who invests'],
      path: '/signals/investors',
      filters: {
        type: optional(
          list(
            'Types of investors.',
            Type.Enum([
              'vc',
              'angel',
              'pe',
              'corporate',
              'government',
              'accelerator',
              'family_office',
              'hedge_fund',
              'crowdfunding',
            ]),
            9,
          ),
        ),
        headquarters: optional(text('Place of the head office.', 200)),
        ticket_size_min: money('Smallest ticket.'),
        ticket_size_max: money('Largest ticket.'),
        sort_by: sortBy(['created_at', 'name', 'ticket_size_min', 'ticket_size_max']),
      },
      example: { type: ['vc'], headquarters: 'Paris', limit: 5 },
    }),
  },
})
