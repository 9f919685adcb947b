/**
 * Brave Search's API: GET /web/search and /news/search with the header x-subscription-token. A
 * wrong token is a 422.
 */
import { hitsFor } from '../../simulators/hits.ts'
import { countOf, headerCredential, json, routed } from '../../simulators/routed.ts'
import type { SimulatedReply, SimulatedRequest, SimulatedVendor } from '../../simulators/vendor.ts'

const indep: SimulatedVendor = routed({
  credential: headerCredential('x-subscription-token'),
  quotaStatus: 429,
  failure: (status, reason) => {
    const code =
      reason === 'credentials'
        ? 'SUBSCRIPTION_TOKEN_INVALID'
        : reason === 'quota'
          ? 'QUOTA_LIMITED'
          : status === 429
            ? 'RATE_LIMITED'
            : 'SIMULATED_FAILURE'
    const answered = reason === 'credentials' ? 422 : status
    return json(
      {
        type: 'ErrorResponse',
        error: {
          id: 'simulated',
          status: answered,
          code,
          detail: `Simulated failure with status ${answered}.`,
        },
        time: 0,
      },
      answered,
    )
  },
  routes: { 'GET /web/search': web, 'GET /news/search': news },
})

function web(request: SimulatedRequest): SimulatedReply {
  const rows = rowsFor(request, 20)
  const query = { original: request.query.get('q') ?? '', more_results_available: rows.length > 0 }
  if (rows.length === 0) return json({ type: 'search', query })
  const kinds = (request.query.get('result_filter') ?? 'web,news').split(',')
  return json({
    type: 'search',
    query,
    ...(kinds.includes('web') ? { web: { type: 'search', results: rows } } : {}),
    ...(kinds.includes('news') ? { news: { type: 'news', results: rows.slice(0, 1) } } : {}),
    simulated: true,
  })
}

function news(request: SimulatedRequest): SimulatedReply {
  return json({
    type: 'news',
    query: { original: request.query.get('q') ?? '' },
    results: rowsFor(request, 50),
    simulated: true,
  })
}

function rowsFor({ query, now }: SimulatedRequest, most: number): unknown[] {
  const count = Math.min(most, countOf(query.get('count') ?? undefined, 20))
  const hits = hitsFor(query.get('q') ?? '', 'indep', {
    count,
    from: count * countOf(query.get('offset') ?? undefined, 0),
    now,
  })
  return hits.map(({ url, title, description, publishedAt }, index) => ({
    title,
    url,
    description,
    age: `${index + 1} days ago`,
    page_age: publishedAt.slice(0, 19),
    language: 'en',
    meta_url: { hostname: new URL(url).hostname },
    ...(query.get('extra_snippets') === 'true'
      ? { extra_snippets: [`A further passage. ${description}`] }
      : {}),
  }))
}

export const simulators = { indep }
