/**
 * Fundable's API: a bearer key, rows in named lists under `data`, credits under `meta`. Unknown ids
 * are 404.
 */
import { companiesFor, companyFor, personFor } from '../../simulators/people.ts'
import { countOf, isMiss, json, routed } from '../../simulators/routed.ts'
import {
  bearerCredential,
  bodyField,
  type SimulatedReply,
  type SimulatedRequest,
} from '../../simulators/vendor.ts'

const TOTAL = 12

function failure(status: number, reason: string): SimulatedReply {
  return json(
    {
      success: false,
      error: {
        code: status === 404 ? 'NOT_FOUND' : 'SIMULATED',
        message: `Simulated failure (${reason}).`,
        details: null,
      },
    },
    status,
  )
}

function answer(
  data: Readonly<Record<string, readonly unknown[]>>,
  credits: number,
): SimulatedReply {
  return json({
    success: true,
    data,
    meta: {
      total_count: TOTAL,
      page: 0,
      page_size: 10,
      credits_used: credits,
      credit_source: 'monthly',
    },
  })
}

const fundingdb = routed({
  credential: bearerCredential,
  quotaStatus: 402,
  failure,
  routes: {
    'POST /deals': (request) => deals(request, (name) => bodyField(request, name)),
    'GET /investor/deals': (request) =>
      isMiss(request, 'fundingdb')
        ? failure(404, 'no such investor')
        : deals(request, (name) => request.query.get(name) ?? undefined),
    'GET /deals/:id/investors': (request, { id = '' }) => {
      if (isMiss(request, 'fundingdb')) return failure(404, 'no such deal')
      const [firm, angel] = [companyFor(`investor in ${id}`), personFor(`angel of ${id}`)]
      const investors = [
        {
          id: 'investor-1',
          name: firm.name,
          lead_investor: true,
          financing_type: 'SEED',
          domain: firm.domain,
          personnel: [],
        },
      ]
      return answer(
        {
          investors,
          angel_investors: [{ id: 'angel-1', name: angel.fullName, linkedin: angel.linkedinUrl }],
        },
        1,
      )
    },
    'GET /company/search': (request) => {
      const asked = ['name', 'domain', 'linkedin', 'crunchbase']
        .map((name) => request.query.get(name))
        .find((value) => value !== null)
      if (asked === undefined || asked === null) return failure(400, 'MISSING_IDENTIFIER')
      const { name, domain } = companyFor(asked)
      const found = {
        id: 'company-1',
        name,
        domain,
        short_description: 'A simulated company.',
        relevance_score: 1,
      }
      return answer({ companies: isMiss(request, 'fundingdb') ? [] : [found] }, 0)
    },
  },
})

/** Twelve deals match every search, so that pages run out. */
function deals(request: SimulatedRequest, field: (name: string) => unknown): SimulatedReply {
  const size = countOf(field('page_size'), 10)
  const from = countOf(field('page'), 0) * size
  const count = isMiss(request, 'fundingdb') ? 0 : Math.max(0, Math.min(size, TOTAL - from))
  const rows = companiesFor(`deals ${request.query.toString()}`, count, from).map(
    (company, index) => ({
      id: `deal-${from + index + 1}`,
      round_type: 'SEED',
      date: '2026-03-01',
      company_id: `company-of-${company.domain}`,
      total_round_raised: 1_000_000 * (index + 1),
      financings: [{ type: 'SEED', size_usd: 1_000_000 * (index + 1), currency: 'USD' }],
      investor_ids: ['investor-1'],
      deal_descriptions: { short: 'A simulated deal.' },
    }),
  )
  return answer({ deals: rows }, rows.length)
}

export const simulators = { fundingdb }
