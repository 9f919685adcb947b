import type { FastifyInstance } from 'fastify'
import { AppError } from '../../../errors/app-error.ts'

const RETRY_AFTER_SECONDS = 1

/**
 * A request that comes over a connection still open while the gateway stops is refused in the form of every other
 * error. (The framework's own refusal is a bare 503 in a form of its own.) Calls in flight go on.
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
