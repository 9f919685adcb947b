import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Calls } from '../../../../calls/call.ts'
import { sellCall, type Selling } from '../../../../calls/selling/sell-call.ts'
import { AppError } from '../../../../errors/app-error.ts'
import { toCentsRoundedUp } from '../../../../lib/money.ts'
import { SharedRoom } from '../../../../lib/fairness/shared-room.ts'
import { createLargeBodyLimit } from '../../bodies/limit-large-bodies.ts'
import { renderError } from '../../render-error.ts'
import { rejectQueryParameters } from '../../guards/reject-query-parameters.ts'
import { sendAnswer } from '../../send-answer.ts'

export type SellRouteOptions = {
  readonly calls: Calls
  readonly selling: Selling
  readonly bodyLimitBytes: number
}

const PREFIX = '/paid'
/** Nobody counts the requests of those who have no key. */
const MOST_IN_FLIGHT = 100
// A part of what all may have: strangers who send slowly leave the rest to those who have a key. Their small bodies count
// as well, because no key tells how many they send.
const MOST_BODY_BYTES = 64 * 1024 * 1024

/** Where a request goes that is a call without a key: to the route below. For Fastify's `rewriteUrl`. */
export function purchaseUrl({ method, url = '/', headers }: IncomingMessage): string {
  const { authorization } = headers
  const isPurchase =
    method === 'POST' &&
    url.startsWith('/api/run/') &&
    (authorization === undefined || /^payment\s/i.test(authorization))
  return isPurchase ? `${PREFIX}${url}` : url
}

/** POST /api/run/{service}/{action} without a key: 402 with the price, or the answer for a payment. */
export function sellRoute(
  app: FastifyInstance,
  { calls, selling, bodyLimitBytes }: SellRouteOptions,
): void {
  const room = new SharedRoom(MOST_IN_FLIGHT, 'calls')
  app.addHook('onRequest', (request, _reply, done) => {
    // The payment is for this body alone, so its fingerprint is wanted without an Idempotency-Key too.
    request.bodyFingerprint = ''
    done()
  })
  app.addHook('onRequest', createLargeBodyLimit(MOST_BODY_BYTES, 0)(bodyLimitBytes))
  app.post<{ Params: { service: string; action: string } }>(
    `${PREFIX}/api/run/:service/:action`,
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
