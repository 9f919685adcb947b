import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import type { Database } from '../../db/database.ts'
import { AppError } from '../../errors/app-error.ts'
import type { Clock } from '../../lib/clock.ts'
import { answerClientErrors } from './connections/client-error.ts'
import { forbidSniffing } from './guards/forbid-sniffing.ts'
import { renderError } from './render-error.ts'
import { healthRoutes, type OwnActions } from './routes/health/health-routes.ts'
import type { MetricsDeps } from './routes/metrics/metrics-route.ts'
import { serverOptions } from './server-options.ts'

type WorkerDeps = {
  readonly database: Database
  readonly now: Clock
  readonly logger: FastifyBaseLogger
  /** Figures for GET /metrics. Without it the address does not exist. */
  readonly metrics?: MetricsDeps
  readonly ownActions?: () => OwnActions
}

/** Creates the HTTP server of a worker, with the health checks and metrics of a gateway but no calls. */
export async function createWorkerApp({
  database,
  now,
  logger,
  metrics,
  ownActions,
}: WorkerDeps): Promise<FastifyInstance> {
  const app = Fastify({
    ...serverOptions(logger, now),
    forceCloseConnections: true,
    clientErrorHandler: answerClientErrors(now, new WeakSet()),
  })
  app.addHook('onRequest', forbidSniffing)
  app.setErrorHandler(renderError)
  app.decorateRequest('caller')
  if (metrics !== undefined)
    (await import('./routes/metrics/metrics-route.ts')).metricsRoute(app, metrics)
  await app.register(healthRoutes, { database, ownActions })
  app.setNotFoundHandler(async () => {
    throw new AppError(
      'not_found',
      'A worker serves only /healthz, /readyz and, with METRICS_TOKEN, /metrics.',
      { fix: 'Send calls to a gateway process.' },
    )
  })
  return app
}
