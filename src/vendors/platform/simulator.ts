/**
 * Apify's API: POST /acts/{owner~name}/run-sync-get-dataset-items with a bearer key. Returns 201
 * with plain rows.
 */
import { shortHash } from '../../simulators/content.ts'
import { countOf, isMiss, json, routed } from '../../simulators/routed.ts'
import {
  bearerCredential,
  type SimulatedReply,
  type SimulatedRequest,
  type SimulatedVendor,
} from '../../simulators/vendor.ts'

const platform: SimulatedVendor = routed({
  credential: bearerCredential,
  quotaStatus: 402,
  failure: (status, reason) => {
    const type =
      reason === 'credentials'
        ? 'token-not-provided'
        : reason === 'quota'
          ? 'not-enough-usage-to-run-paid-actor'
          : status === 400
            ? 'invalid-input'
            : 'simulated-failure'
    return json({ error: { type, message: `Simulated failure with status ${status}.` } }, status)
  },
  routes: { 'POST /acts/:actor/run-sync-get-dataset-items': run },
})

function run(
  request: SimulatedRequest,
  { actor = '' }: Readonly<Record<string, string>>,
): SimulatedReply {
  if (typeof request.body !== 'object' || request.body === null)
    return platform.failure(400, 'fault')
  // An entry without results is reported as a row.
  if (isMiss(request, 'platform')) return json([{ noResults: true }], 201)
  const asked = JSON.stringify(request.body)
  const rows = Array.from(
    { length: countOf(request.query.get('limit') ?? undefined, 10) },
    (_, index) => {
      const id = shortHash(`${actor} ${asked} ${index}`)
      return {
        id,
        url: `https://example.com/${id}`,
        text: `Simulated result ${index + 1} of ${actor.replace('~', '/')}.`,
        simulated: true,
      }
    },
  )
  return json(rows, 201)
}

export const simulators = { platform }
