import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Calls } from '../../../calls/call.ts'
import { AppError } from '../../../errors/app-error.ts'
import { DirectRequest } from '../direct/direct-request.ts'

const RETRY_AFTER_SECONDS = 1

/** A hook that rejects calls while the gateway has more work than it can take, before anything is looked up for them. */
export function rejectOverload(load: Pick<Calls['ledger']['load'], 'admits'>) {
  return function rejectCall(
    request: FastifyRequest,
    _reply: FastifyReply,
    done: (error?: Error) => void,
  ): void {
    // Those that came directly were admitted before they were parsed.
    const isAdmitted =
      (request.raw as unknown) instanceof DirectRequest || request.method === 'GET' || load.admits()
    done(
      isAdmitted
        ? undefined
        : new AppError('overloaded', undefined, { retryAfterSeconds: RETRY_AFTER_SECONDS }),
    )
  }
}
