import type { FastifyInstance } from 'fastify'
import { AppError } from '../../../errors/app-error.ts'
import type { Guard } from '../route-objects.ts'

const RETRY_AFTER_SECONDS = 1

/**
 * Creates a guard that rejects requests over open connections while the gateway stops, with an error
 * envelope instead of Fastify's plain 503. Calls in flight continue.
 */
export function rejectWhileStopping(app: FastifyInstance): Guard {
  let isStopping = false
  app.addHook('preClose', async () => {
    isStopping = true
  })
  return (_request, _reply, done) =>
    done(
      isStopping
        ? new AppError('shutting_down', undefined, { retryAfterSeconds: RETRY_AFTER_SECONDS })
        : undefined,
    )
}
