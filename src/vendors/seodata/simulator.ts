/** SpyFu's API: basic authentication, any path below /apis, rows under `results`. */
import { companiesFor } from '../../simulators/people.ts'
import { countOf, isMiss, json, routed } from '../../simulators/routed.ts'
import type { SimulatedReply, SimulatedRequest } from '../../simulators/vendor.ts'

const TOTAL = 40

const base = routed({
  credential: ({ headers }) => /^Basic\s+(.+)$/i.exec(headers.authorization ?? '')?.[1],
  quotaStatus: 402,
  failure: (status, reason) =>
    json({ title: 'Error', status, message: `Simulated failure (${reason}).` }, status),
  routes: {},
})

const seodata = {
  ...base,
  answer: (request: SimulatedRequest): SimulatedReply | undefined => {
    const { path, query, method } = request
    if (method !== 'GET' || !path.startsWith('/apis/')) return undefined
    const from = countOf(query.get('startingRow'), 1) - 1
    const count = isMiss(request, 'seodata')
      ? 0
      : Math.max(0, Math.min(countOf(query.get('pageSize'), 5), TOTAL - from))
    const about = [...query]
      .filter(([name]) => name !== 'pageSize' && name !== 'startingRow')
      .join(' ')
    const results = companiesFor(about, count, from).map(({ domain, employees }, index) => ({
      keyword: `simulated keyword ${from + index + 1}`,
      domain,
      rank: from + index + 1,
      searchVolume: employees,
    }))
    return json({
      resultCount: results.length,
      totalMatchingResults: TOTAL,
      results,
      ...(query.has('domain') ? { domain: query.get('domain') } : {}),
      simulated: true,
    })
  },
}

export const simulators = { seodata }
