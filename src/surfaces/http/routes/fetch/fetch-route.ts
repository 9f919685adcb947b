import type { FastifyInstance } from 'fastify'
import { PaidFetchInput } from '../../../../calls/fetch/paid-fetch-input.ts'
import type { FetchDeps } from '../../../../calls/fetch/fetch-and-pay.ts'
import { paidFetch } from '../../../../calls/fetch/paid-fetch.ts'
import type { Calls } from '../../../../calls/call.ts'
import { SharedCapacity } from '../../../../lib/fairness/shared-capacity.ts'
import { rejectCassette } from '../../cassette-of.ts'
import { idempotencyOf } from '../../idempotency.ts'
import { holdWaitOf } from '../../prefer-wait.ts'
import { readBody } from '../../read-input.ts'
import { sendAnswer } from '../../send-answer.ts'

// Each holds a reply of up to 5 MiB in memory.
const MOST_IN_FLIGHT = 64

/** POST /api/fetch. */
export function fetchRoute(
  app: FastifyInstance,
  { calls, fetching }: { readonly calls: Calls; readonly fetching: FetchDeps },
): void {
  const room = new SharedCapacity(MOST_IN_FLIGHT, 'fetches')
  app.post('/api/fetch', { onRequest: rejectCassette }, async (request, reply) => {
    const { accountId } = request.caller
    const input = readBody(calls.validator, PaidFetchInput, request.body)
    room.take(accountId)
    try {
      const work = paidFetch(calls, fetching, {
        id: request.id,
        caller: request.caller,
        idempotency: idempotencyOf(request),
        wait: holdWaitOf(request, reply, undefined),
        input,
      })
      request.work = work
      return sendAnswer(request, reply, await work)
    } finally {
      room.giveBack(accountId)
    }
  })
}
