/**
 * Linkup's API: POST /search with a bearer key. A search without results is a 400 with its own
 * code.
 */
import { hitsFor } from '../../simulators/hits.ts'
import { json, routed } from '../../simulators/routed.ts'
import {
  bearerCredential,
  bodyField,
  stringsOf,
  type SimulatedReply,
  type SimulatedRequest,
  type SimulatedVendor,
} from '../../simulators/vendor.ts'

const cited: SimulatedVendor = routed({
  credential: bearerCredential,
  quotaStatus: 429,
  failure: (status, reason) =>
    refusal(
      status,
      reason === 'quota'
        ? 'INSUFFICIENT_FUNDS_CREDITS'
        : status === 429
          ? 'TOO_MANY_REQUESTS'
          : status === 400
            ? 'VALIDATION_ERROR'
            : 'SIMULATED_FAILURE',
    ),
  routes: { 'POST /search': search },
})

function refusal(statusCode: number, code: string): SimulatedReply {
  return json(
    {
      statusCode,
      error: { code, message: `Simulated failure with status ${statusCode}.`, details: [] },
    },
    statusCode,
  )
}

const RESULTS = 5

function search(request: SimulatedRequest): SimulatedReply {
  const [q] = stringsOf(bodyField(request, 'q'))
  const [depth] = stringsOf(bodyField(request, 'depth'))
  if (q === undefined || depth === undefined) return cited.failure(400, 'fault')
  const hits = hitsFor(q, 'cited', {
    count: RESULTS,
    from: 2,
    now: request.now,
    domains: stringsOf(bodyField(request, 'includeDomains')),
  })
  if (hits.length === 0) return refusal(400, 'SEARCH_QUERY_NO_RESULT')
  switch (bodyField(request, 'outputType')) {
    case 'searchResults':
      return json({
        results: hits.map(({ url, title, description }) => ({
          type: 'text',
          name: title,
          url,
          content: description,
          favicon: '',
        })),
      })
    case 'sourcedAnswer': {
      const mark = bodyField(request, 'includeInlineCitations') === true ? ' [1]' : ''
      return json({
        answer: `Simulated answer to "${q.slice(0, 100)}".${mark}`,
        sources: hits.map(({ url, title, description }) => ({
          name: title,
          url,
          snippet: description,
          favicon: '',
        })),
      })
    }
    case 'structured':
      return structured(bodyField(request, 'structuredOutputSchema'))
    default:
      return cited.failure(400, 'fault')
  }
}

/** The schema is text. Its first-level fields are filled. */
function structured(schema: unknown): SimulatedReply {
  const parsed: unknown =
    typeof schema === 'string' && schema.startsWith('{') ? JSON.parse(schema) : undefined
  if (typeof parsed !== 'object' || parsed === null) return cited.failure(400, 'fault')
  const { properties = {} } = parsed as { properties?: Record<string, { type?: string }> }
  return json(
    Object.fromEntries(
      Object.entries(properties).map(([name, { type }]) => [
        name,
        type === 'number' || type === 'integer' ? 42 : `simulated ${name}`,
      ]),
    ),
  )
}

export const simulators = { cited }
