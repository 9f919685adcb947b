/** The common parts of companyfind: the vendor, its filters and its job ids. */
import { Type } from '../../lib/schema.ts'
import {
  choice,
  domainName,
  flag,
  list,
  optional,
  text,
  texts,
  whole,
} from '../../catalog/vocabulary/fields.ts'
import { field, vendorFailure, joinProblems } from '../../catalog/answers/vendor-failure.ts'
import { keyHeaders, type Vendor } from '../../catalog/vocabulary/wire.ts'

export const openFunnel: Vendor = {
  baseUrl: 'https://api.openfunnel.dev',
  // Older routes require the user id as well. It is sent if the operator set it.
  auth: keyHeaders({ 'x-api-key': 'KEY' }, { 'x-user-id': 'USER_ID' }),
  docsUrl: 'https://docs.openfunnel.dev/',
  readFailure: (reply) => {
    const detail = field(reply.body, 'detail')
    const vendorCode = field(reply.body, 'error_code') ?? field(detail, 'error_code')
    // 409 means that the job has ended; a retry would not help.
    const code =
      vendorCode === 'CREDITS_EXCEEDED'
        ? 'upstream_payment'
        : reply.status === 409
          ? 'upstream_rejected'
          : undefined
    return vendorFailure(reply, {
      code,
      vendorCode,
      message: Array.isArray(detail)
        ? joinProblems(detail)
        : typeof detail === 'string'
          ? detail
          : field(detail, 'message'),
    })
  },
}

const FUNDING_STAGES = [
  'Pre-Seed',
  'Seed',
  ...'ABCDEFGH'.split('').map((letter) => `Series ${letter}`),
  'Acquired',
  'Private',
  'Public',
]

export const lookalikeFilters = {
  query: optional(text('Description of the companies.', 200)),
  seed_domains: optional(
    list('Domains of up to 10 similar companies.', domainName('A domain.'), 10),
  ),
  min_employees: optional(whole('Minimum number of employees.', 0, 10_000_000)),
  max_employees: optional(whole('Maximum number of employees.', 0, 10_000_000)),
  funding_stages: optional(
    list(
      'Funding stages; one of them must match.',
      Type.Enum(FUNDING_STAGES),
      FUNDING_STAGES.length,
    ),
  ),
  locations: optional(
    list(
      'Countries as ISO 3166 alpha-3 codes such as FRA; EU stands for its members.',
      Type.String({ pattern: '^([A-Z]{3}|EU)$' }),
      50,
    ),
  ),
  search_type: optional(choice('Search mode; agentic takes longer.', ['semantic', 'agentic'])),
}

export const techFilters = {
  tech: text('Technology, such as a product or a language.', 128),
  variations: optional(texts('Alternative spellings of the technology.', 20)),
  lookback_days: whole('Number of days to look back for job postings.', 1, 365, { default: 365 }),
  exclude_vendor: flag('Excludes the maker of the technology.', { default: true }),
  exclude_aggregators: flag('Excludes job boards and agencies.', { default: true }),
  hq_country_code: optional(
    Type.String({
      pattern: '^[A-Z]{2,3}$',
      description:
        'Country of the head office: a code of two or three capital letters from companyfind/options.',
    }),
  ),
  min_employee_count: optional(whole('Minimum number of employees.', 0, 10_000_000)),
  max_employee_count: optional(whole('Maximum number of employees.', 0, 10_000_000)),
}

export type JobKind = 'tam' | 'lookalikes' | 'tech-intent'

/** The path of each kind of job: POST launches one, and paths below it poll and control it. */
export const JOB_PATHS: Readonly<Record<JobKind, string>> = {
  tam: '/api/v1/tam/build',
  lookalikes: '/api/v1/account/search-lookalikes-bulk',
  'tech-intent': '/api/v2/tech/companies/intent-search',
}

export function jobPath(kind: JobKind, jobId: string): string {
  return `${JOB_PATHS[kind]}/${encodeURIComponent(jobId)}`
}
