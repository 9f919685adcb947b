import type { FastifyInstance } from 'fastify'
import { PaidFetchInput } from '../../../../calls/fetch/paid-fetch-input.ts'
import type { FetchDeps } from '../../../../calls/fetch/fetch-and-pay.ts'
import { FETCH_NAME } from '../../../../calls/fetch/fetch-and-pay.ts'
import { paidFetch } from '../../../../calls/fetch/paid-fetch.ts'
import type { Calls } from '../../../../calls/call.ts'
import { SharedCapacity } from '../../../../lib/fairness/shared-capacity.ts'
import { rejectCassette } from '../../cassette-of.ts'
import { idempotencyOf } from '../../idempotency.ts'
import type { CalledAction, CallLogger } from '../../log-calls.ts'
import { holdWaitOf } from '../../prefer-wait.ts'
import { readBody } from '../../read-input.ts'
import { sendAnswer } from '../../send-answer.ts'

// Each holds a reply of up to 5 MiB in memory.
const MOST_IN_FLIGHT = 64

/** POST /api/fetch. */
export function fetchRoute(
  app: FastifyInstance,
  {
    calls,
    callLogger,
    fetching,
  }: {
    readonly calls: Calls
    readonly callLogger: CallLogger
    readonly fetching: FetchDeps
  },
): void {
  const room = new SharedCapacity(MOST_IN_FLIGHT, 'fetches')
  app.post(
    '/api/fetch',
    { onRequest: rejectCassette, config: { calledAction } },
    async (request, reply) => {
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
        const answer = await work
        callLogger.answered(request, answer)
        return sendAnswer(request, reply, answer)
      } finally {
        room.giveBack(accountId)
      }
    },
  )
}

function calledAction(): CalledAction {
  return { surface: 'api', service: FETCH_NAME.service, action: FETCH_NAME.action }
}
