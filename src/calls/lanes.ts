import type { Dispatcher } from 'undici'
import type { Catalog, Entry } from '../catalog/index.ts'
import type { LaneStatus } from '../catalog/published/lane.ts'
import { splitBaseUrl, type Target } from '../upstream/send.ts'

/** What the operator set for a service: UPSTREAM_<LABEL>_URL and UPSTREAM_<LABEL>_<NAME>. */
export type UpstreamSettings = { readonly url: string | null; readonly credentials: Readonly<Record<string, string>> }

/** How an action can be carried out right now. */
export type Lane = { readonly kind: 'vendor' | 'simulator'; readonly target: Target } | { readonly kind: 'in-house'; readonly handler: string } | { readonly kind: 'local'; readonly handler: string }

export type LaneSources = {
  readonly catalog: Catalog
  readonly upstreams: ReadonlyMap<string, UpstreamSettings>
  /** For addresses that come from the catalog: public hosts only. */
  readonly guardedDispatcher: Dispatcher
  /** For addresses that the operator set, which may be private. */
  readonly operatorDispatcher: Dispatcher
  /** Names of the in-house handlers that can work on this machine. */
  readonly inHouse: ReadonlySet<string>
  /** Base address of the built-in simulators. */
  readonly simulatorUrl: string
}

export type Lanes = {
  /** The first lane that is live, or null. A test call only ever goes to the simulators. */
  laneFor(entry: Entry, mode: 'live' | 'test'): Lane | null
  /** What index and descriptor publish. */
  statusOf(service: string, action: string): LaneStatus
}

/** Order of lanes: the operator's vendor key, then a payment wallet, then the gateway's own implementation. */
export function createLanes(sources: LaneSources): Lanes {
  const targets = new Map(sources.catalog.services.map(({ id }) => [id, { live: vendorTarget(sources, id), test: simulatorTarget(sources, id) }]))

  function laneFor({ service, action }: Entry, mode: 'live' | 'test'): Lane | null {
    if (action.kind === 'local') return { kind: 'local', handler: action.handler }
    const target = targets.get(service.id)?.[mode]
    if (target !== undefined && target !== null) return { kind: mode === 'test' ? 'simulator' : 'vendor', target }
    if (mode === 'live' && action.kind === 'call' && action.inHouse !== undefined && sources.inHouse.has(action.inHouse)) return { kind: 'in-house', handler: action.inHouse }
    return null
  }

  function statusOf(serviceId: string, actionName: string): LaneStatus {
    const entry = sources.catalog.findAction(serviceId, actionName)
    const { action, service } = entry
    if (action.kind === 'local') {
      const isLive = action.uses.length === 0 || action.uses.some((used) => isUsable(used))
      return { live: isLive ? 'in-house' : null, lanes: ['in-house'] }
    }
    const lanes = [...(service.vendor === undefined ? [] : ['vendor']), ...(action.kind === 'call' && action.inHouse !== undefined ? ['in-house'] : [])]
    const live = laneFor(entry, 'live')
    return { live: live === null || live.kind === 'simulator' || live.kind === 'local' ? null : live.kind, lanes }
  }

  function isUsable(used: string): boolean {
    const [service = '', action = ''] = used.split('/')
    return laneFor(sources.catalog.findAction(service, action), 'live') !== null
  }

  return { laneFor, statusOf }
}

// A replaced address alone opens the lane too: a vendor's self-hosted edition may want no key.
function vendorTarget(sources: LaneSources, serviceId: string): Target | null {
  const vendor = sources.catalog.services.find(({ id }) => id === serviceId)?.vendor
  const settings = sources.upstreams.get(serviceId)
  if (vendor === undefined || settings === undefined) return null
  const dispatcher = settings.url === null ? sources.guardedDispatcher : sources.operatorDispatcher
  return { service: serviceId, vendor, ...splitBaseUrl(settings.url ?? vendor.baseUrl), credentials: settings.credentials, dispatcher }
}

function simulatorTarget(sources: LaneSources, serviceId: string): Target | null {
  const vendor = sources.catalog.services.find(({ id }) => id === serviceId)?.vendor
  if (vendor === undefined) return null
  const names = vendor.auth.in === 'basic' ? [vendor.auth.user, vendor.auth.password] : [vendor.auth.credential]
  const credentials = Object.fromEntries(names.map((name) => [name, 'simulated']))
  return { service: serviceId, vendor, ...splitBaseUrl(`${sources.simulatorUrl}/${serviceId}`), credentials, dispatcher: sources.operatorDispatcher }
}
