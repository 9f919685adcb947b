import {
  LogController,
  type FastifyBaseLogger,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import type { Clock } from '../../lib/clock.ts'
import { newId, type Id } from '../../lib/ids.ts'
import { NO_SNIFFING } from './guards/forbid-sniffing.ts'
import { renderError } from './render-error.ts'

/** What holds of every server of ours: requests have ids of our own, are not logged one by one, and fail in one form. */
export function serverOptions(
  logger: FastifyBaseLogger,
  now: Clock,
  newRequestId = (): Id => newId(now()),
) {
  return {
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    // Whatever is logged names its request itself: a logger for each of them costs more than routing it.
    childLoggerFactory: (one: FastifyBaseLogger) => one,
    genReqId: newRequestId,
    requestIdHeader: false,
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) =>
      void renderError(error, request, reply.header(NO_SNIFFING.name, NO_SNIFFING.value)),
  } as const
}
