import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Calls } from '../../../../calls/call.ts'
import { sellCall, type Selling } from '../../../../calls/selling/sell-call.ts'
import { AppError } from '../../../../errors/app-error.ts'
import { toCentsRoundedUp } from '../../../../lib/money.ts'
import { SharedCapacity } from '../../../../lib/fairness/shared-capacity.ts'
import { createLargeBodyLimit } from '../../bodies/limit-large-bodies.ts'
import { renderError } from '../../render-error.ts'
import { collapseSlashes } from '../../collapse-slashes.ts'
import { allowPages, isPreflight } from './allow-pages.ts'
import { rejectQueryParameters } from '../../guards/reject-query-parameters.ts'
import { sendAnswer } from '../../send-answer.ts'

export type SellRouteDeps = {
  readonly calls: Calls
  readonly selling: Selling
  readonly bodyLimitBytes: number
}

const PREFIX = '/paid'
const PATH = `${PREFIX}/api/run/:service/:action`
// No rate limit applies to callers without a key.
const MOST_IN_FLIGHT = 100
// A share of the total, so that slow buyers leave the rest to callers with a key. Small bodies count too,
// because no rate limit applies.
const MOST_BODY_BYTES = 64 * 1024 * 1024

/** Rewrites the path of a call without a key, and of its preflight, to the routes below. For Fastify's `rewriteUrl`. */
export function purchaseUrl({ method, url: requested = '/', headers }: IncomingMessage): string {
  const url = collapseSlashes(requested)
  const { authorization } = headers
  const isPurchase =
    (method === 'POST' || (method === 'OPTIONS' && isPreflight(headers))) &&
    url.startsWith('/api/run/') &&
    (authorization === undefined || /^payment(\s|$)/i.test(authorization))
  return isPurchase ? `${PREFIX}${url}` : url
}

/** POST /api/run/{service}/{action} without a key: answers 402 with the price, or the result for a payment. */
export function sellRoute(
  app: FastifyInstance,
  { calls, selling, bodyLimitBytes }: SellRouteDeps,
): void {
  const room = new SharedCapacity(MOST_IN_FLIGHT, 'calls')
  // First, so that pages can read the errors of the other hooks.
  allowPages(app, PATH)
  app.addHook('onRequest', (request, _reply, done) => {
    // The payment covers one body, so its fingerprint is needed even without an Idempotency-Key.
    request.bodyFingerprint = ''
    done()
  })
  app.addHook('onRequest', createLargeBodyLimit(MOST_BODY_BYTES, 0)(bodyLimitBytes))
  app.post<{ Params: { service: string; action: string } }>(
    PATH,
    { bodyLimit: bodyLimitBytes },
    async (request, reply) => {
      rejectQueryParameters(request)
      const headers = Object.fromEntries(
        Object.entries(request.headers).filter(
          (entry): entry is [string, string] => typeof entry[1] === 'string',
        ),
      )
      room.take(undefined)
      try {
        const work = sellCall(calls, selling, {
          id: request.id,
          ...request.params,
          body: request.body,
          headers,
          fingerprint: request.bodyFingerprint ?? '',
        })
        request.work = work
        const sold = await work
        reply.headers({ ...sold.headers, 'cache-control': 'no-store' })
        if (sold.kind === 'delivered')
          return await sendAnswer(request, reply, { ...sold.answer, wallet: null })
        const details = {
          price_cents: toCentsRoundedUp(sold.price),
          price_micros: Number(sold.price),
          ...(sold.reason === null ? {} : { reason: sold.reason }),
        }
        return renderError(
          new AppError('payment_required', sold.message, { details }),
          request,
          reply,
          sold.body,
        )
      } finally {
        room.giveBack(undefined)
      }
    },
  )
}
