import type { Calls } from '../../../calls/call.ts'
import { AppError } from '../../../errors/app-error.ts'
import { DirectRequest } from '../direct/direct-request.ts'
import type { RouteReply, RouteRequest } from '../route-objects.ts'

const RETRY_AFTER_SECONDS = 1

/** Creates a hook that rejects calls during overload, before any lookup. */
export function rejectOverload(load: Pick<Calls['ledger']['load'], 'admits'>) {
  return function rejectCall(
    request: RouteRequest,
    _reply: RouteReply,
    done: (error?: Error) => void,
  ): void {
    // `serveDirectly` admits its requests before it parses them.
    const isAdmitted =
      (request.raw as unknown) instanceof DirectRequest || request.method === 'GET' || load.admits()
    done(
      isAdmitted
        ? undefined
        : new AppError('overloaded', undefined, { retryAfterSeconds: RETRY_AFTER_SECONDS }),
    )
  }
}
