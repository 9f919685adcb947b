import { Type, type Static, type TObject } from '../../lib/schema.ts'
import { cents, type Micros } from '../../lib/money.ts'
import { call, defineService, params, type CallAction } from '../../catalog/vocabulary/define.ts'
import {
  amount,
  day,
  exactlyOne,
  domainName,
  flag,
  list,
  optional,
  text,
  texts,
  whole,
} from '../../catalog/vocabulary/fields.ts'
import type { Outcome } from '../../catalog/vocabulary/outcome.ts'
import { found } from '../shared/records.ts'
import { flat } from '../../catalog/vocabulary/tariff.ts'
import { field, vendorFailure } from '../../catalog/answers/vendor-failure.ts'
import { bearer, post, type Reply, type Vendor } from '../../catalog/vocabulary/wire.ts'
import { returns } from './returns.ts'

const theirStack: Vendor = {
  baseUrl: 'https://api.theirstack.com',
  auth: bearer(),
  docsUrl: 'https://theirstack.com/en/docs/api-reference',
  limits: { perSecond: 4 },
  readFailure: (reply) => {
    const error = field(reply.body, 'error')
    return vendorFailure(reply, {
      vendorCode: field(error, 'code'),
      message: field(error, 'description') ?? field(error, 'title'),
    })
  },
}

const words = (description: string) => optional(texts(description))
const countries = (description: string) =>
  optional(list(description, Type.String({ pattern: '^[A-Za-z]{2}$' }), 50))
const people = (description: string) => optional(whole(description, 0, 10_000_000))
const dollars = (description: string) => optional(amount(description))

const companyFilters = {
  company_name_or: words('Company names; one of them must match.'),
  company_domain_or: words('Company domains; one of them must match.'),
  company_linkedin_url_or: words('LinkedIn URLs of companies; one of them must match.'),
  company_country_code_or: countries('Countries of the head office, two letters each.'),
  industry_or: words('Industries; one of them must match.'),
  industry_id_or: optional(list('Industry numbers; one of them must match.', Type.Integer(), 50)),
  min_employee_count: people('Minimum number of employees.'),
  max_employee_count: people('Maximum number of employees.'),
  funding_stage_or: words('Funding stages; one of them must match.'),
  company_technology_slug_or: words('Technologies in use; one of them must match.'),
  company_technology_slug_and: words('Technologies in use; all must match.'),
  company_technology_slug_not: words('Technologies that must not be in use.'),
  company_buying_intent_slug_or: words('Topics with buying intent; one of them must match.'),
}

const jobFilters = {
  job_title_or: words('Job titles; one of them must match.'),
  job_title_not: words('Job titles to exclude.'),
  job_title_pattern_or: words('Regular expressions for the title; one of them must match.'),
  job_country_code_or: countries('Countries of the job, two letters each.'),
  job_country_code_not: countries('Countries to exclude, two letters each.'),
  job_description_pattern_or: words(
    'Regular expressions for the description; one of them must match.',
  ),
  job_description_contains_or: words('Words of the description; one of them must match.'),
  job_location_pattern_or: words('Regular expressions for the place; one of them must match.'),
  remote: optional(flag('true for remote jobs only, false for other jobs only.')),
  job_seniority_or: optional(
    list(
      'Seniority levels; one of them must match.',
      Type.Enum(['c_level', 'staff', 'senior', 'mid_level', 'junior']),
      5,
    ),
  ),
  min_salary_usd: dollars('Minimum yearly salary in US dollars.'),
  max_salary_usd: dollars('Maximum yearly salary in US dollars.'),
  employment_statuses_or: words('Types of employment; one of them must match.'),
  posted_at_max_age_days: optional(
    whole(
      'Maximum age of the posting in days; 30 if neither a posting date nor a company is set.',
      0,
      3_650,
    ),
  ),
  posted_at_gte: optional(day('Posted on or after this day.')),
  posted_at_lte: optional(day('Posted on or before this day.')),
  discovered_at_max_age_days: optional(whole('Maximum days since discovery.', 0, 3_650)),
  discovered_at_gte: optional(day('Discovered on or after this day.')),
  discovered_at_lte: optional(day('Discovered on or before this day.')),
}

/** The vendor requires one of these. A caller that sets none gets recent postings. */
const JOB_SCOPE = [
  'posted_at_max_age_days',
  'posted_at_gte',
  'posted_at_lte',
  'company_domain_or',
  'company_linkedin_url_or',
  'company_name_or',
]
const DEFAULT_AGE_DAYS = 30

function withScope(input: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return JOB_SCOPE.some((name) => input[name] !== undefined)
    ? input
    : { ...input, posted_at_max_age_days: DEFAULT_AGE_DAYS }
}

const paging = {
  page: whole('Page number, from 0.', 0, 10_000, { default: 0 }),
  include_total_results: optional(flag('Returns the total count under metadata. Takes longer.')),
}

const oneCompany = params(
  {
    company_domain: optional(domainName('Domain of the company.')),
    company_name: optional(text('Name of the company.', 200)),
    company_linkedin_url: optional(text('LinkedIn URL of the company.', 500)),
  },
  exactlyOne('company_domain', 'company_name', 'company_linkedin_url'),
)

const rowsReply = Type.Object({ data: Type.Array(Type.Unknown()) })

/** A page with rows is charged, an empty one is free. */
function rowsOutcome({ body }: Reply<Static<typeof rowsReply>>): Outcome {
  return found(body, body.data)
}

type Search<S extends TObject> = Pick<CallAction, 'title' | 'summary' | 'keywords'> & {
  readonly input: S
  readonly example: Partial<Static<S>>
  readonly path: string
  readonly price: Micros
  /** The vendor's input; the caller's input by default. */
  readonly sent?: (input: Static<S>) => unknown
}

function search<S extends TObject>({ path, price, sent, ...spec }: Search<S>): CallAction {
  return call({
    ...spec,
    price: flat(price),
    priceSource:
      'List price of this gateway, 2026-11; the vendor bills one credit per job posting and three per company.',
    timeoutMs: 60_000,
    untrustedContent: true,
    request: (input) => post(path, sent?.(input) ?? input),
    reply: rowsReply,
    outcome: rowsOutcome,
  })
}

export const service = defineService({
  id: 'hiringdata',
  title: 'Job postings and company data derived from them',
  category: 'people and companies',
  vendor: theirStack,
  returns,
  actions: {
    jobs: search({
      title: 'Search job postings',
      summary: 'Search job postings by title, place, age, salary and company. Up to ten per call.',
      keywords: ['job ads', 'vacancies', 'open positions', 'hiring signals', 'careers'],
      input: params({
        limit: whole(
          'Maximum number of postings, 1 to 10. The price does not depend on it.',
          1,
          10,
        ),
        ...paging,
        ...jobFilters,
        ...companyFilters,
      }),
      example: {
        limit: 3,
        job_title_or: ['data engineer'],
        job_country_code_or: ['FR'],
        posted_at_max_age_days: 15,
      },
      path: '/v1/jobs/search',
      sent: withScope,
      price: cents('40'),
    }),
    companies: search({
      title: 'Search companies that hire',
      summary:
        'Search companies by industry, size, country, funding and technologies. Up to five per call.',
      keywords: ['company list', 'find companies', 'firmographics', 'companies using a technology'],
      input: params({
        limit: whole(
          'Maximum number of companies, 1 to 5. The price does not depend on it.',
          1,
          5,
          {
            default: 5,
          },
        ),
        ...paging,
        ...companyFilters,
      }),
      example: {
        limit: 2,
        company_country_code_or: ['FR'],
        company_technology_slug_or: ['postgresql'],
      },
      path: '/v1/companies/search',
      price: cents('60'),
    }),
    technographics: search({
      title: 'Technologies of a company',
      summary: 'List the technologies that a company uses, based on its job postings.',
      keywords: ['tech stack of a company', 'software used by a company'],
      input: oneCompany,
      example: { company_domain: 'example.com' },
      path: '/v1/companies/technologies',
      price: cents('25'),
    }),
    'buying-intents': search({
      title: 'Likely purchases of a company',
      summary: 'List the products that a company is likely to buy, based on its job postings.',
      keywords: ['buying signals', 'purchase intent', 'sales triggers'],
      input: oneCompany,
      example: { company_domain: 'example.com' },
      path: '/v1/companies/buying_intents',
      price: cents('25'),
    }),
  },
})
