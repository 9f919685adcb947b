/**
 * Signalbase's API: GET /signals/… with a bearer key, rows under `data`. An executed page costs one
 * credit.
 */
import { DAY_MS } from '../../lib/clock.ts'
import { companiesFor, personFor, type SimulatedCompany } from '../../simulators/people.ts'
import { countOf, isMiss, json, routed } from '../../simulators/routed.ts'
import {
  bearerCredential,
  type SimulatedReply,
  type SimulatedRequest,
} from '../../simulators/vendor.ts'

const TOTAL = 30

function feed(make: (company: SimulatedCompany, index: number) => object) {
  return (request: SimulatedRequest): SimulatedReply => {
    const { query, path } = request
    const page = countOf(query.get('page'), 1)
    const limit = countOf(query.get('limit'), 20)
    if (limit < 1 || limit > 100) return json({ success: false, error: 'limit is 1 to 100' }, 400)
    const total = isMiss(request, 'signals') ? 0 : TOTAL
    const from = (page - 1) * limit
    const day = new Date(request.now() - DAY_MS).toISOString().slice(0, 10)
    const about = [...query].filter(([name]) => name !== 'page' && name !== 'limit').join('&')
    const data = companiesFor(about, Math.max(0, Math.min(limit, total - from)), from).map(
      (company, index) => ({
        signalId: `simulated-${from + index + 1}`,
        occurredAt: day,
        discoveredAt: day,
        companyName: company.name,
        companyWebsite: `https://${company.domain}/`,
        companyIndustry: company.industry,
        companyEmployeeCount: company.employees,
        ...make(company, index),
      }),
    )
    const totalPages = Math.ceil(total / limit)
    return json({
      success: true,
      data,
      pagination: {
        currentPage: page,
        totalPages,
        totalCount: total,
        hasNextPage: page < totalPages,
        hasPreviousPage: page > 1,
      },
      meta: { endpoint: path, creditsUsed: 1, creditsRemaining: 500 },
    })
  }
}

const signals = routed({
  credential: bearerCredential,
  quotaStatus: 402,
  failure: (status, reason) =>
    json({ success: false, error: `Simulated failure (${reason}).` }, status),
  routes: {
    'GET /signals/funding': feed((_, index) => ({
      signalType: 'funding',
      roundType: 'seed',
      amount: 1_000_000 * (index + 1),
      currency: 'USD',
      investors: [],
      verificationStatus: 'verified',
    })),
    'GET /signals/acquisitions': feed((company) => ({
      signalType: 'acquisition',
      acquiringCompany: { name: `Buyer of ${company.name}` },
      percentage: 100,
    })),
    'GET /signals/job-changes': feed((company) => ({
      signalType: 'job-change',
      personName: personFor(`someone at ${company.name}`).fullName,
      newRole: 'CFO',
      personCurrentTitle: 'CFO',
    })),
    'GET /signals/hiring': feed((company, index) => ({
      signalType: 'hiring',
      jobUrl: `https://jobs.example.com/simulated-${index + 1}`,
      title: 'Simulated job',
      location: company.city,
      employmentType: 'full-time',
    })),
    'GET /signals/investors': feed((company) => ({
      name: `${company.name} Ventures`,
      type: 'vc',
      website: `https://${company.domain}/`,
      countries: '["US"]',
      ticketSizeMin: 100_000,
      ticketSizeMax: 2_000_000,
    })),
  },
})

export const simulators = { signals }
