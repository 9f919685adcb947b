/** /status and GET /api/status: which services are set up, and how calls of this gateway ended lately. */
import type { FastifyInstance } from 'fastify'
import type { Published } from '../../../../catalog/published/catalog-index.ts'
import type { Database } from '../../../../db/database.ts'
import {
  HEALTH_PERIODS,
  readServiceHealth,
  type HealthOfServices,
  type HealthPeriod,
} from '../../../../history/read-service-health.ts'
import { toRfc3339, type Clock } from '../../../../lib/clock.ts'
import type { Site } from '../../html/layout/layout.ts'
import { statusPage } from '../../html/pages/status-page.ts'
import { statusOf, toStatusJson } from './service-status.ts'

export type StatusDeps = {
  readonly database: Pick<Database, 'query'>
  readonly now: Clock
  readonly site: Site
  readonly published: Published
  /** Whether the language-model router has an upstream. */
  readonly routerIsLive: boolean
}

type StatusRoute = { Querystring: { period?: string | string[] } }

const STORED_MS = 60_000
const CACHED = 'public, max-age=60'

export async function statusRoutes(app: FastifyInstance, deps: StatusDeps): Promise<void> {
  const { now, site, published, routerIsLive } = deps
  const read = storedFor(STORED_MS, now, () => readServiceHealth(deps.database, now()))

  app.get<StatusRoute>('/status', async (request, reply) => {
    const { value, atMs } = await read()
    const period = periodOf(request.query.period)
    const services = statusOf(published, routerIsLive, value)
    return reply
      .header('cache-control', CACHED)
      .type('text/html; charset=utf-8')
      .send(statusPage(site, { services, period, at: toRfc3339(atMs) }))
  })
  app.get('/api/status', async (_request, reply) => {
    const { value, atMs } = await read()
    const services = statusOf(published, routerIsLive, value)
    return reply.header('cache-control', CACHED).send(toStatusJson(services, toRfc3339(atMs)))
  })
}

/** Reads at most once per `storedMs`; concurrent callers share one read. */
function storedFor(
  storedMs: number,
  now: Clock,
  read: () => Promise<HealthOfServices>,
): () => Promise<{ readonly value: HealthOfServices; readonly atMs: number }> {
  let stored: Promise<{ value: HealthOfServices; atMs: number }> | undefined
  let storedAtMs = 0
  return () => {
    if (stored !== undefined && now() - storedAtMs < storedMs) return stored
    const atMs = now()
    storedAtMs = atMs
    const reading = read().then((value) => ({ value, atMs }))
    stored = reading
    // A failed read is not stored.
    reading.catch(() => {
      if (stored === reading) stored = undefined
    })
    return reading
  }
}

/** Any other text means the last day. */
function periodOf(text: unknown): HealthPeriod {
  return typeof text === 'string' && Object.hasOwn(HEALTH_PERIODS, text)
    ? (text as HealthPeriod)
    : 'day'
}
