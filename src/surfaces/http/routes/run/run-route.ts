import type { FastifyInstance } from 'fastify'
import type { Calls } from '../../../../calls/call.ts'
import { runCall } from '../../../../calls/run.ts'
import { SharedCapacity } from '../../../../lib/fairness/shared-capacity.ts'
import type { CalledAction, CallLogger } from '../../log-calls.ts'
import { renderError } from '../../render-error.ts'
import { sendWhenDone } from '../../send-when-done.ts'
import { cassetteOf } from '../../cassette-of.ts'
import { idempotencyOf } from '../../idempotency.ts'
import { holdWaitOf } from '../../prefer-wait.ts'
import { requires, type RoutePermission } from '../../guards/requires.ts'
import { rejectQueryParameters } from '../../guards/reject-query-parameters.ts'
import { requestEndOf } from '../../request-timeout.ts'
import type { RouteRequest } from '../../route-objects.ts'
import { sendAnswer } from '../../send-answer.ts'

export type RunRouteDeps = {
  readonly calls: Calls
  readonly callLogger: CallLogger
  readonly bodyLimitBytes: number
  readonly place?: RunPlace
}

/** Where calls arrive. `path` has the parameters `service` and `action`. */
type RunPlace = {
  readonly path: string
  readonly mostInFlight: number
  /** Of a signed-in person, at a path for browser sessions. */
  readonly permission?: RoutePermission
}

// Each call holds its request and the vendor's reply in memory. Further calls get 503 with Retry-After.
const API: RunPlace = { path: '/api/run/:service/:action', mostInFlight: 10_000 }

/** POST /api/run/{service}/{action} by default. `runCall` handles the money. */
export function runRoute(
  app: FastifyInstance,
  {
    calls,
    callLogger,
    bodyLimitBytes,
    place: { path, mostInFlight, permission } = API,
  }: RunRouteDeps,
): void {
  const room = new SharedCapacity(mostInFlight, 'calls')
  app.post<{ Params: { service: string; action: string } }>(
    path,
    {
      bodyLimit: bodyLimitBytes,
      config: {
        calledAction,
        ...(permission === undefined ? { renderError } : requires(permission).config),
      },
    },
    (request, reply) => {
      const { caller } = request
      const { service, action } = request.params
      rejectQueryParameters(request)
      const endsMs = requestEndOf(request, calls.ledger.load)
      const call = {
        id: request.id,
        caller,
        service,
        action,
        body: request.body,
        idempotency: idempotencyOf(request),
        cassette: cassetteOf(request, reply),
        endsMs,
        wait: holdWaitOf(request, reply, endsMs),
      }
      room.take(caller.accountId)
      sendWhenDone(reply, {
        work: runCall(calls, call),
        send(answer) {
          callLogger.answered(request, answer)
          return sendAnswer(request, reply, answer)
        },
        over: () => room.giveBack(caller.accountId),
      })
    },
  )
}

function calledAction({ params }: RouteRequest): CalledAction {
  const { service, action } = params as { readonly service: string; readonly action: string }
  return { surface: 'api', service, action }
}
