import type { FastifyInstance } from 'fastify'
import { AppError } from '../../../errors/app-error.ts'

const RETRY_AFTER_SECONDS = 1

/**
 * Rejects requests over open connections while the gateway stops, with an error envelope instead of
 * Fastify's plain 503. Calls in flight continue.
 */
export function rejectWhileStopping(app: FastifyInstance): void {
  let isStopping = false
  app.addHook('preClose', async () => {
    isStopping = true
  })
  app.addHook('onRequest', (_request, _reply, done) => {
    done(
      isStopping
        ? new AppError('shutting_down', undefined, { retryAfterSeconds: RETRY_AFTER_SECONDS })
        : undefined,
    )
  })
}
