/** TheirStack's API: POST requests with a bearer key, rows under `data`. */
import { DAY_MS } from '../../lib/clock.ts'
import { companiesFor, type SimulatedCompany } from '../../simulators/people.ts'
import { countOf, isMiss, json, routed } from '../../simulators/routed.ts'
import {
  bearerCredential,
  bodyField,
  stringsOf,
  type SimulatedReply,
  type SimulatedRequest,
} from '../../simulators/vendor.ts'

function failure(status: number, reason: string): SimulatedReply {
  return json(
    {
      request_id: 'simulated',
      error: { code: `E-${status}`, title: reason, description: `Simulated failure (${reason}).` },
    },
    status,
  )
}

type MakeRow = (company: SimulatedCompany, index: number, request: SimulatedRequest) => unknown

function rows(
  required: readonly string[],
  most: (request: SimulatedRequest) => number,
  make: MakeRow,
) {
  return (request: SimulatedRequest): SimulatedReply => {
    if (required.length > 0 && required.every((name) => bodyField(request, name) === undefined))
      return failure(422, `one of ${required.join(', ')} is missing`)
    const count = isMiss(request, 'hiringdata') ? 0 : most(request)
    const data = companiesFor(JSON.stringify(request.body), count).map((company, index) =>
      make(company, index, request),
    )
    return json({
      metadata: {
        total_results: null,
        truncated_results: 0,
        truncated_companies: 0,
        total_companies: null,
      },
      data,
    })
  }
}

const SCOPE = [
  'posted_at_max_age_days',
  'posted_at_gte',
  'posted_at_lte',
  'company_domain_or',
  'company_linkedin_url_or',
  'company_name_or',
]
const COMPANY = ['company_domain', 'company_name', 'company_linkedin_url']
const limitOf = (request: SimulatedRequest) =>
  Math.min(25, countOf(bodyField(request, 'limit'), 25))

const hiringdata = routed({
  credential: bearerCredential,
  quotaStatus: 402,
  failure,
  routes: {
    'POST /v1/jobs/search': rows(SCOPE, limitOf, jobOf),
    'POST /v1/companies/search': rows([], limitOf, companyOf),
    'POST /v1/companies/technologies': rows(
      COMPANY,
      () => 3,
      (_, index) => ({
        technology: {
          name: `Simulated Tool ${index + 1}`,
          slug: `simulated-tool-${index + 1}`,
          category: 'Simulated',
        },
        confidence: ['high', 'medium', 'low'][index],
        jobs: 9 - index,
        first_date_found: '2025-01-01',
        last_date_found: '2026-06-01',
      }),
    ),
    'POST /v1/companies/buying_intents': rows(
      COMPANY,
      () => 2,
      (_, index) => ({
        buying_intent: {
          name: `Simulated topic ${index + 1}`,
          slug: `simulated-topic-${index + 1}`,
        },
        confidence: 'medium',
        jobs: 3,
      }),
    ),
  },
})

function jobOf(company: SimulatedCompany, index: number, request: SimulatedRequest) {
  const title = stringsOf(bodyField(request, 'job_title_or'))[0] ?? 'Simulated job'
  const url = `https://jobs.example.com/simulated-${index + 1}`
  return {
    id: 1_000 + index,
    job_title: title,
    url,
    final_url: url,
    date_posted: new Date(request.now() - (index + 1) * DAY_MS).toISOString().slice(0, 10),
    company: company.name,
    company_domain: company.domain,
    location: company.city,
    country_code: stringsOf(bodyField(request, 'job_country_code_or'))[0] ?? 'US',
    remote: index % 2 === 0,
    seniority: 'mid_level',
    salary_string: null,
    hiring_team: [],
    company_object: companyOf(company),
  }
}

function companyOf(company: SimulatedCompany) {
  return {
    name: company.name,
    domain: company.domain,
    linkedin_url: company.linkedinUrl,
    industry: company.industry,
    employee_count: company.employees,
    city: company.city,
  }
}

export const simulators = { hiringdata }
