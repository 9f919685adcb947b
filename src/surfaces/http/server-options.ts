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

/** Fastify options of gateway and worker: own request ids, no log line per request, errors as envelopes. */
export function serverOptions(
  logger: FastifyBaseLogger,
  now: Clock,
  newRequestId = (): Id => newId(now()),
) {
  return {
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    // A child logger per request would cost more than routing. Log lines name their request themselves.
    childLoggerFactory: (one: FastifyBaseLogger) => one,
    genReqId: newRequestId,
    requestIdHeader: false,
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) =>
      void renderError(error, request, reply.header(NO_SNIFFING.name, NO_SNIFFING.value)),
  } as const
}
