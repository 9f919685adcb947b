import type { Published } from '../../../../catalog/published/catalog-index.ts'
import type {
  HealthOfServices,
  HealthPeriod,
  ServiceHealth,
} from '../../../../history/read-service-health.ts'

export type ServiceStatus = {
  readonly id: string
  readonly title: string
  readonly category: string
  /** Whether at least one action is set up. */
  readonly isLive: boolean
  /** Actions, and paths of passthroughs, that the vendor no longer offers. */
  readonly gone: readonly string[]
  /** Null: too few calls. */
  readonly health: Readonly<Record<HealthPeriod, ServiceHealth | null>>
}

/** Calls of the router have this service; it is not in the catalog. */
const ROUTER = { id: 'llm', title: 'Language-model router', category: 'language models' }

export function statusOf(
  { services, laneOf }: Published,
  routerIsLive: boolean,
  health: HealthOfServices,
): readonly ServiceStatus[] {
  const healthOf = (id: string) => ({
    hour: health.hour.get(id) ?? null,
    day: health.day.get(id) ?? null,
    month: health.month.get(id) ?? null,
  })
  return [
    { ...ROUTER, isLive: routerIsLive, gone: [], health: healthOf(ROUTER.id) },
    ...services.map(({ id, title, category, actions }) => ({
      id,
      title,
      category,
      isLive: Object.keys(actions).some((name) => laneOf(id, name).live !== null),
      gone: Object.entries(actions).flatMap(([name, action]) =>
        laneOf(id, name).gone !== true
          ? []
          : action.kind === 'endpoint'
            ? action.endpoints
                .filter(({ endpoint }) => laneOf(id, name, endpoint).gone === true)
                .map(({ endpoint }) => `${name} ${endpoint}`)
            : [name],
      ),
      health: healthOf(id),
    })),
  ]
}

export function toStatusJson(services: readonly ServiceStatus[], at: string) {
  return {
    generated_at: at,
    services: services.map(({ id, title, isLive, gone, health }) => ({
      service: id,
      title,
      live: isLive,
      gone,
      last_hour: toJson(health.hour),
      last_day: toJson(health.day),
      last_30_days: toJson(health.month),
    })),
  }
}

function toJson(health: ServiceHealth | null) {
  return (
    health && {
      calls: health.calls,
      succeeded: Math.round(health.succeeded * 10_000) / 10_000,
      median_ms: health.medianMs,
      p95_ms: health.p95Ms,
    }
  )
}
