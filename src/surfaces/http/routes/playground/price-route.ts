import type { FastifyInstance } from 'fastify'
import type { Calls } from '../../../../calls/call.ts'
import { quoteCall } from '../../../../calls/quote/quote-call.ts'
import { priceIdFor } from '../../../../catalog/prices/price-id.ts'
import { leastPrice } from '../../../../catalog/prices/price.ts'
import { NO_LANE } from '../../../../lib/metrics/call-tally.ts'
import { requires } from '../../guards/requires.ts'
import { dataBody, sendBody } from '../../send-data.ts'

export type PriceRouteDeps = { readonly calls: Calls; readonly bodyLimitBytes: number }

/**
 * The most that a call with this body can cost, by the quote that also precedes the call. Free.
 * `price_id` in the body of the call then rejects another price. Requires a caller.
 */
export function priceRoute(
  app: FastifyInstance,
  path: string,
  { calls, bodyLimitBytes }: PriceRouteDeps,
): void {
  app.post<{ Params: { service: string; action: string } }>(
    path,
    { bodyLimit: bodyLimitBytes, ...requires('calls.run') },
    (request, reply) => {
      const { id, caller, body, params } = request
      const call = quoteCall(
        calls,
        { id, caller, ...params, body, idempotency: null },
        { service: 'unknown', lane: NO_LANE },
      )
      const { entry, input, amount } = call
      const price = {
        price_micros: Number(amount),
        // Failures are free. This is about results: one unit found costs less than a full page.
        is_exact: leastPrice(entry.action, input) === amount,
        price_id: priceIdFor(entry, input),
      }
      return sendBody(request, reply, dataBody(price))
    },
  )
}
