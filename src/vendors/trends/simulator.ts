/**
 * SerpApi's API for Google Trends: the query field api_key. No data is a success with a sentence in
 * `error`.
 */
import { DAY_MS } from '../../lib/clock.ts'
import { shortHash } from '../../simulators/content.ts'
import { isMiss, json, routed } from '../../simulators/routed.ts'
import type { SimulatedReply, SimulatedRequest } from '../../simulators/vendor.ts'

function failure(status: number, reason: string): SimulatedReply {
  return json(
    {
      error:
        reason === 'quota'
          ? 'Your account has run out of searches.'
          : `Simulated failure (${reason}).`,
    },
    status,
  )
}

const trends = routed({
  credential: ({ query }) => query.get('api_key') ?? undefined,
  quotaStatus: 429,
  failure,
  routes: {
    'GET /search.json': (request) => {
      const { query } = request
      const [type, terms] = [
        query.get('data_type') ?? 'TIMESERIES',
        (query.get('q') ?? '').split(','),
      ]
      if (query.get('engine') !== 'google_trends' || terms[0] === '')
        return failure(400, 'engine and q are needed')
      const head = {
        search_metadata: { status: 'Success', id: 'simulated' },
        search_parameters: { engine: 'google_trends', q: query.get('q'), data_type: type },
      }
      if (isMiss(request, 'trends'))
        return json({ ...head, error: "Google Trends hasn't returned any results for this query." })
      return json({ ...head, ...contentOf(type, terms, request) })
    },
  },
})

function interest(seed: string): number {
  return Number.parseInt(shortHash(seed), 16) % 101
}

function contentOf(
  type: string,
  terms: readonly string[],
  { now }: SimulatedRequest,
): Record<string, unknown> {
  const values = (about: string) =>
    terms.map((query) => ({
      query,
      value: String(interest(`${query} ${about}`)),
      extracted_value: interest(`${query} ${about}`),
    }))
  if (type === 'TIMESERIES') {
    const weeks = [3, 2, 1].map((ago) => now() - ago * 7 * DAY_MS)
    return {
      interest_over_time: {
        timeline_data: weeks.map((ms) => ({
          date: new Date(ms).toISOString().slice(0, 10),
          timestamp: String(Math.floor(ms / 1000)),
          values: values(String(ms)),
        })),
      },
    }
  }
  if (type === 'GEO_MAP')
    return {
      compared_breakdown_by_region: ['US', 'FR'].map((geo) => ({
        geo,
        location: geo,
        values: values(geo),
      })),
    }
  if (type === 'GEO_MAP_0')
    return {
      interest_by_region: ['US', 'FR'].map((geo) => ({ geo, location: geo, ...values(geo)[0] })),
    }
  const related = ['rising', 'top'].map((list) => [
    list,
    [1, 2].map((index) => ({
      query: `${terms[0]} simulated ${index}`,
      value: String(100 / index),
      extracted_value: 100 / index,
    })),
  ])
  return {
    [type === 'RELATED_TOPICS' ? 'related_topics' : 'related_queries']: Object.fromEntries(
      related,
    ) as Record<string, unknown>,
  }
}

export const simulators = { trends }
