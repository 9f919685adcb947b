/**
 * OpenFunnel's API: the header x-api-key, immediate searches, and jobs with pages of rows. A job
 * whose input contains "pending" never ends.
 */
import type { Clock } from '../../lib/clock.ts'
import { jobOf, RUNS_MS, startJob } from '../../simulators/jobs.ts'
import { createState } from '../../simulators/bounded-state.ts'
import { companiesFor, companyFor, type SimulatedCompany } from '../../simulators/people.ts'
import { countOf, headerCredential, isMiss, json, routed } from '../../simulators/routed.ts'
import { bodyField, type SimulatedReply, type SimulatedRequest } from '../../simulators/vendor.ts'

function failure(status: number, reason: string): SimulatedReply {
  return json(
    {
      error_code: reason === 'quota' ? 'CREDITS_EXCEEDED' : 'SIMULATED',
      detail: `Simulated failure (${reason}).`,
    },
    status,
  )
}

const PAGE = 100
const TAM_SIZE = 143

const companyfind = routed({
  credential: headerCredential('x-api-key'),
  quotaStatus: 400,
  failure,
  routes: {
    'GET /api/v1/account/search-lookalikes': (request) => {
      const { query } = request
      const about = query.get('query') ?? query.getAll('seed_domains').join(' ')
      const found = isMiss(request, 'companyfind')
        ? []
        : companiesFor(about, Math.min(100, countOf(query.get('limit'), 10)))
      const [resolved, unresolved] = [query.getAll('seed_domains'), []]
      return json({
        query: query.get('query'),
        results: found.map(rowOf),
        total: found.length,
        credits_consumed: found.length,
        derived_query: null,
        resolved_seed_domains: resolved,
        unresolved_seed_domains: unresolved,
      })
    },
    'GET /api/v2/tech/companies': techCompanies,
    'POST /api/v2/research/deep': research,
    'POST /api/v1/account/lookup-companies': (request) => {
      const asked = bodyField(request, 'companies')
      return json({
        results: (Array.isArray(asked) ? (asked as Record<string, string>[]) : []).map(lookup),
      })
    },
    'GET /api/v2/tech/country-options': () =>
      json({
        options: [
          { code: 'FR', name: 'France' },
          { code: 'US', name: 'United States' },
        ],
      }),
    'GET /api/v1/icp/options': () =>
      json({ industries: ['Software', 'Retail'], funding_stages: ['Seed', 'Series A'] }),
    'GET /api/v1/credits/balance': () => json({ credits_remaining: 1_000, simulated: true }),
    ...jobRoutes('/api/v1/tam/build', () => TAM_SIZE),
    ...jobRoutes('/api/v1/account/search-lookalikes-bulk', (input) => countOf(input['limit'], 10)),
    ...jobRoutes('/api/v2/tech/companies/intent-search', (input) => countOf(input['limit'], 100)),
  },
})

function rowOf(company: SimulatedCompany) {
  return {
    name: company.name,
    domain: company.domain,
    linkedin_url: company.linkedinUrl,
    headquarters: company.city,
    employee_count: company.employees,
    industries: [company.industry],
    match_reason: 'Simulated.',
    match_score: 0.8,
  }
}

function techCompanies(request: SimulatedRequest): SimulatedReply {
  const { query } = request
  const tech = query.get('tech') ?? ''
  const page = countOf(query.get('page'), 1)
  const found =
    isMiss(request, 'companyfind') || page > 2
      ? []
      : companiesFor(tech, page === 1 ? 50 : 10, (page - 1) * 50)
  const companies = found.map(({ name, domain, linkedinUrl, employees }) => ({
    company_slug: domain.replaceAll('.', '-'),
    company_name: name,
    post_count: 2,
    last_posted_at: '2026-06-01',
    website: `https://${domain}/`,
    linkedin_url: linkedinUrl,
    employee_count: employees,
  }))
  return json({
    tech,
    page,
    page_size: 50,
    total_results: 60,
    has_more: page < 2,
    total_companies_matched: 60,
    companies,
    credits_consumed: companies.length,
    cached: false,
  })
}

function research(request: SimulatedRequest): SimulatedReply {
  const error = isMiss(request, 'companyfind') ? 'nothing to go by' : null
  const block = (question: unknown) =>
    question === undefined
      ? null
      : {
          question,
          qualified: error === null,
          answer: error === null ? 'Simulated answer.' : null,
          confidence: 0.7,
          sources: [],
          error,
        }
  const domain = String(bodyField(request, 'domain'))
  return json({
    domain,
    latency_ms: 5,
    company: { name: companyFor(domain).name },
    activity: block(bodyField(request, 'activity_question')),
    qualifier: block(bodyField(request, 'qualifier_question')),
    credits_consumed: 20,
  })
}

function lookup(input: Record<string, string>): unknown {
  const asked = input['domain'] ?? input['name'] ?? input['linkedin_url'] ?? ''
  if (/nobody/i.test(asked)) return { input, status: 'not_found', matches: [] }
  const { name, domain, linkedinUrl, industry } = companyFor(asked)
  return {
    input,
    status: 'resolved',
    matches: [
      {
        company_id: `company-of-${domain}`,
        name,
        domain,
        linkedin_url: linkedinUrl,
        industries: [industry],
        score: 1,
      },
    ],
  }
}

/**
 * The last command to each job with its time, and the jobs reported as completed, which no longer
 * change.
 */
const orders = createState<{ readonly order: string; readonly atMs: number }>()
const completed = createState<{ readonly isCompleted: true }>()
/** Ids of the examples, which all accounts share. */
const EXAMPLE = /^sim-0-/
/** The number of results of a paused or stopped job. */
const FOUND_WHEN_TOLD = 12
const STATUS_WHEN_TOLD: Readonly<Record<string, string>> = {
  pause: 'pausing',
  resume: 'running',
  cancel: 'cancelling',
}

type JobState = {
  readonly status: 'running' | 'paused' | 'cancelled' | 'completed'
  readonly found: number
}

function stateOf(
  id: string,
  now: Clock,
  asked: Readonly<Record<string, unknown>>,
  size: number,
): JobState {
  const told = JSON.stringify(asked)
  const { order, atMs = 0 } = orders.get(id) ?? {}
  const found = Math.min(size, FOUND_WHEN_TOLD)
  if (order === 'pause') return { status: 'paused', found }
  if (order === 'cancel') return { status: 'cancelled', found }
  if (order === 'resume' && now() - atMs < RUNS_MS) return { status: 'running', found }
  return told.includes('pending') || jobOf(id, now)?.state === 'running'
    ? { status: 'running', found: 0 }
    : { status: 'completed', found: size }
}

function jobRoutes(path: string, sizeOf: (input: Readonly<Record<string, unknown>>) => number) {
  return {
    [`POST ${path}`]: ({ body, now }: SimulatedRequest) =>
      json({ job_id: startJob(body as Readonly<Record<string, unknown>>, now), status: 'pending' }),
    [`GET ${path}/:id`]: (
      { query, now }: SimulatedRequest,
      { id = '' }: Readonly<Record<string, string>>,
    ) => {
      const job = jobOf(id, now)
      if (job === undefined) return failure(404, 'unknown job')
      const told = JSON.stringify(job.input)
      const { status, found: size } = stateOf(
        id,
        now,
        job.input,
        /nobody|sim:miss/i.test(told) ? 0 : sizeOf(job.input),
      )
      if (status === 'completed' && !EXAMPLE.test(id)) completed.set(id, { isCompleted: true })
      const page = countOf(query.get('cursor')?.replace('page_', ''), 1)
      const from = (page - 1) * PAGE
      const rows = companiesFor(told, Math.max(0, Math.min(PAGE, size - from)), from).map(rowOf)
      const manifest = {
        pages: Math.ceil(size / PAGE),
        page_size: PAGE,
        count: size,
        unique_count: size,
        companies_qualified: size,
        credits_consumed: size,
        partial: status === 'cancelled',
        stop_reason: status === 'cancelled' ? 'cancelled' : null,
      }
      const next = from + PAGE < size ? `page_${String(page + 1).padStart(4, '0')}` : null
      return json({
        job_id: id,
        status,
        manifest,
        rows,
        next_cursor: next,
        processed: size,
        error_message: null,
      })
    },
    [`POST ${path}/:id/:action`]: (
      { now }: SimulatedRequest,
      { id = '', action = '' }: Readonly<Record<string, string>>,
    ) => {
      if (completed.has(id)) return failure(409, 'the job has ended')
      if (!EXAMPLE.test(id) && orders.get(id)?.order !== 'cancel')
        orders.set(id, { order: action, atMs: now() })
      return json({ job_id: id, status: STATUS_WHEN_TOLD[action] ?? action })
    },
  }
}

export const simulators = { companyfind }
