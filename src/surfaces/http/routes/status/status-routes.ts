/** /status and GET /api/status: which services are set up, and how calls of this gateway ended lately. */
import type { FastifyInstance } from 'fastify'
import type { Published } from '../../../../catalog/published/catalog-index.ts'
import type { HealthReader } from '../../../../history/health-reader.ts'
import { HEALTH_PERIODS, type HealthPeriod } from '../../../../history/read-service-health.ts'
import { toRfc3339 } from '../../../../lib/clock.ts'
import type { Site } from '../../html/layout/layout.ts'
import { statusPage } from '../../html/pages/status-page.ts'
import { statusOf, toStatusJson } from './service-status.ts'

export type StatusDeps = {
  readonly readHealth: HealthReader
  readonly site: Site
  readonly published: Published
  /** Whether the language-model router has an upstream. */
  readonly routerIsLive: boolean
}

type StatusRoute = { Querystring: { period?: string | string[] } }

const CACHED = 'public, max-age=60'

export async function statusRoutes(app: FastifyInstance, deps: StatusDeps): Promise<void> {
  const { site, published, routerIsLive, readHealth } = deps

  app.get<StatusRoute>('/status', async (request, reply) => {
    const { value, atMs } = await readHealth()
    const period = periodOf(request.query.period)
    const services = statusOf(published, routerIsLive, value)
    return reply
      .header('cache-control', CACHED)
      .type('text/html; charset=utf-8')
      .send(statusPage(site, { services, period, at: toRfc3339(atMs) }))
  })
  app.get('/api/status', async (_request, reply) => {
    const { value, atMs } = await readHealth()
    const services = statusOf(published, routerIsLive, value)
    return reply.header('cache-control', CACHED).send(toStatusJson(services, toRfc3339(atMs)))
  })
}

/** Any other text means the last day. */
function periodOf(text: unknown): HealthPeriod {
  return typeof text === 'string' && Object.hasOwn(HEALTH_PERIODS, text)
    ? (text as HealthPeriod)
    : 'day'
}
