/**
 * Routes that vendors no longer offer, in the database for all processes. A route leaves the list when it
 * answers again or the operator removes it (docs/decisions/0192-routes-that-are-gone.md).
 */
import type { Database } from '../../db/database.ts'
import { HOUR_MS, type Clock } from '../../lib/clock.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import type { WireRequest } from '../../catalog/vocabulary/wire.ts'
import type { Sent } from '../../upstream/sent.ts'

/** `endpoint` is empty unless the action is a passthrough. `vendor` is the label of its target. */
export type Route = {
  readonly service: string
  readonly action: string
  readonly endpoint: string
  readonly lane: 'vendor' | 'open' | 'wallet'
  readonly vendor: string
}

/** The vendor's last answer, and the times of the first and last one since the route is gone. */
export type GoneRoute = Route & {
  readonly status: number | null
  readonly message: string | null
  readonly firstMs: number
  readonly lastMs: number
}

export type GoneRoutes = {
  isGone(route: Route): boolean
  /** Whether other lanes come first. After an hour a call tries the route again. */
  isAvoided(route: Route): boolean
  hasAny(service: string, action: string): boolean
  /** Takes a vendor's answer into account. Does not wait for the database. */
  observe(route: Route, wire: WireRequest, input: Data, sent: Sent): void
  /** Increases at most every five seconds while the list changes. */
  revision(): number
  list(): readonly GoneRoute[]
  /** Reads the list of all processes. */
  reload(): Promise<void>
  close(): void
}

const READ_EVERY_MS = 5_000
const WRITE_EVERY_MS = 60_000
const UNAUTHORIZED = 401

/** Loads the list. Throws when the database is unavailable. */
export async function openGoneRoutes(database: Database, now: Clock): Promise<GoneRoutes> {
  let routes = new Map<string, GoneRoute>()
  let [revision, revisedMs, isChanged] = [0, Number.NEGATIVE_INFINITY, false]

  function revise(): void {
    isChanged = now() - revisedMs < READ_EVERY_MS
    if (isChanged) return
    revision += 1
    revisedMs = now()
  }

  async function reload(): Promise<void> {
    const found = new Map((await readGoneRoutes(database)).map((route) => [routeKey(route), route]))
    const isSame = found.size === routes.size && [...found.keys()].every((key) => routes.has(key))
    routes = found
    if (!isSame || isChanged) revise()
  }

  function add(
    route: Route,
    { status, message }: { status: number | null; message: string | null },
  ) {
    const known = routes.get(routeKey(route))
    const gone = { ...route, status, message, firstMs: known?.firstMs ?? now(), lastMs: now() }
    routes.set(routeKey(route), gone)
    if (known === undefined) revise()
    if (known !== undefined && now() - known.lastMs < WRITE_EVERY_MS) return
    // Lost without a database, which the next failure of the route repeats.
    void writeGoneRoute(database, gone).catch(() => undefined)
  }

  await reload()
  const timer = setInterval(() => void reload().catch(() => undefined), READ_EVERY_MS)
  timer.unref()
  return {
    isGone: (route) => routes.size > 0 && routes.has(routeKey(route)),
    isAvoided: (route) => {
      const known = routes.size === 0 ? undefined : routes.get(routeKey(route))
      return known !== undefined && now() - known.lastMs < HOUR_MS
    },
    hasAny: (service, action) =>
      routes.size > 0 &&
      routes.values().some((route) => route.service === service && route.action === action),
    observe(route, wire, input, sent) {
      if (sent.ok) {
        if (routes.size === 0 || !routes.delete(routeKey(route))) return
        revise()
        void deleteGoneRoute(database, route).catch(() => undefined)
      } else if (showsGone(route, sent) && !namesItem(wire, input))
        add(route, sent.failure.details.upstream)
    },
    revision: () => revision,
    list: () => [...routes.values()],
    reload,
    close: () => clearInterval(timer),
  }
}

/** A public source that now requires a key is gone too: its lane is the one without a key. */
function showsGone({ lane }: Route, sent: Extract<Sent, { ok: false }>): boolean {
  const { code, details } = sent.failure
  return code === 'upstream_gone' || (lane === 'open' && details.upstream.status === UNAUTHORIZED)
}

/** Such a path may be missing for one caller only, so it must not change the lane of others. */
function namesItem({ path }: WireRequest, input: Data): boolean {
  const segments = new Set(path.split(/[/?]/))
  return Object.entries(input).some(
    ([name, value]) =>
      name !== 'endpoint' &&
      (typeof value === 'string' || typeof value === 'number') &&
      (segments.has(String(value)) || segments.has(encodeURIComponent(value))),
  )
}

/** Identifies a route. */
export function routeKey({ service, action, endpoint, lane, vendor }: Route): string {
  return `${service}/${action} ${endpoint} ${lane} ${vendor}`
}

/** The newest first. */
export async function readGoneRoutes({
  query,
}: Pick<Database, 'query'>): Promise<readonly GoneRoute[]> {
  const { rows } = await query<
    Route & { status: number | null; message: string | null; first_ms: bigint; last_ms: bigint }
  >(
    `select service, action, endpoint, lane, vendor, status, message, first_ms, last_ms from gone_routes
     order by first_ms desc, service, action, endpoint`,
  )
  return rows.map(({ first_ms, last_ms, ...route }) => ({
    ...route,
    firstMs: Number(first_ms),
    lastMs: Number(last_ms),
  }))
}

async function writeGoneRoute({ query }: Pick<Database, 'query'>, gone: GoneRoute): Promise<void> {
  await query(
    `insert into gone_routes (service, action, endpoint, lane, vendor, status, message, first_ms, last_ms)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     on conflict (service, action, endpoint, lane, vendor) do update set status = $6, message = $7, last_ms = $9`,
    [
      gone.service,
      gone.action,
      gone.endpoint,
      gone.lane,
      gone.vendor,
      gone.status,
      gone.message?.slice(0, 500) ?? null,
      gone.firstMs,
      gone.lastMs,
    ],
  )
}

/** Returns whether it was listed. */
export async function deleteGoneRoute(
  { query }: Pick<Database, 'query'>,
  { service, action, endpoint, lane, vendor }: Route,
): Promise<boolean> {
  const { count } = await query(
    'delete from gone_routes where service = $1 and action = $2 and endpoint = $3 and lane = $4 and vendor = $5',
    [service, action, endpoint, lane, vendor],
  )
  return count > 0
}
