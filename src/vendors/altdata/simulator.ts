/** Akta's API: GET requests with the header x-api-key. Every answer has `credits_consumed`. */
import { companyFor } from '../../simulators/people.ts'
import { countOf, headerCredential, isMiss, json, routed } from '../../simulators/routed.ts'
import type { SimulatedReply, SimulatedRequest } from '../../simulators/vendor.ts'

function failure(status: number, reason: string): SimulatedReply {
  return json(
    { message: reason === 'quota' ? 'Not enough credits.' : `Simulated failure (${reason}).` },
    status,
  )
}

const TOTAL = 60

function list(
  creditsFor: (rows: number) => number,
  make: (index: number, request: SimulatedRequest) => unknown,
) {
  return (request: SimulatedRequest): SimulatedReply => {
    const limit = countOf(request.query.get('limit'), 10)
    const offset = countOf(request.query.get('offset'), 0)
    const count = isMiss(request, 'altdata') ? 0 : Math.max(0, Math.min(limit, TOTAL - offset))
    const data = Array.from({ length: count }, (_, index) => make(offset + index + 1, request))
    return json({ status: 'success', limit, offset, data, credits_consumed: creditsFor(count) })
  }
}

const review = (index: number) => ({
  title: `Simulated review ${index}`,
  rating: 1 + (index % 5),
  pros: 'Made up.',
  cons: 'Made up.',
  date: '2026-02-01',
})
const product = (index: number) => ({
  product_id: `p_${index}`,
  name: `Simulated product ${index}`,
  rating: 4,
})
const reviewCredits = (rows: number) => Math.ceil(rows / 50) * 1.5

const altdata = routed({
  credential: headerCredential('x-api-key'),
  quotaStatus: 403,
  failure,
  routes: {
    'GET /v1/company/enrichment/': (request) => {
      const { query } = request
      const asked = query.get('company')
      if (asked === null) return failure(422, 'company is missing')
      if (isMiss(request, 'altdata')) return failure(404, 'company not found')
      const { name, domain, industry, employees, city } = companyFor(asked)
      const sections = (query.get('sections') ?? '').split(',').filter((section) => section !== '')
      const content = { name, website: domain, industry, employees, city, note: 'simulated' }
      return json({
        data: {
          uuid: 'simulated',
          ...Object.fromEntries(sections.map((section) => [section, content])),
        },
        credits_consumed: sections.length * 2.5,
      })
    },
    'GET /v1/news/': list(
      (rows) => Math.ceil(rows / 10) * 0.4,
      (index, { query }) => ({
        title: `Simulated article ${index} about ${query.get('company') ?? query.get('query') ?? query.get('title') ?? query.get('industry') ?? ''}`,
        url: `https://news.example.com/${index}`,
        publisher: 'The Simulated Times',
        published_date: '2026-05-01',
        sentiment: 'neutral',
        news_score: 'Medium',
        ai_summary: 'Made up.',
      }),
    ),
    'GET /v1/company/employee-reviews/': list(reviewCredits, review),
    'GET /v1/company/product-reviews/': (request) => {
      const products = (request.query.get('products') ?? '').split(',').filter((id) => id !== '')
      if (products.length === 0) return list(() => 0.5, product)(request)
      const limit = countOf(request.query.get('limit'), 10)
      const data = isMiss(request, 'altdata')
        ? []
        : products.map((id) => ({
            product_id: id,
            reviews: Array.from({ length: limit }, (_, index) => review(index + 1)),
          }))
      return json({ status: 'success', data, credits_consumed: reviewCredits(limit) * data.length })
    },
  },
})

export const simulators = { altdata }
