import {
  type Action,
  type EndpointAction,
  type LocalAction,
  type OpenSource,
  type Service,
} from '../../catalog/vocabulary/define.ts'
import type { Entry } from '../../catalog/index.ts'
import type { Merchant } from '../../catalog/vocabulary/merchant.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import type { LaneOf, LaneStatus } from '../../catalog/published/lane.ts'
import { isOpen, type Vendor, type WireRequest } from '../../catalog/vocabulary/wire.ts'
import type { Mode } from '../../lib/mode.ts'
import type { Sent } from '../../upstream/sent.ts'
import type { Target } from '../../upstream/target.ts'
import { gated, merchantTarget, findPlaces, type Place, type Places } from './endpoints.ts'
import type { Route } from './gone-routes.ts'
import {
  alternativesOf,
  isForCallsOnly,
  merchantOf,
  routeOf,
  sourceFor,
  type Alternatives,
  type Lane,
  type LaneRules,
  type LaneSources,
  type ObservedLane,
  type WalletLane,
} from './lane-parts.ts'
import { statusOfModels } from './model-status.ts'

export type Lanes = {
  /** The first lane that is live for this input, or null. A test call only ever goes to the simulators. */
  laneFor(entry: Entry, mode: Mode, input: Data): Lane | null
  /** The lane of the merchant, even if other lanes are live: the merchant alone stores its purchases. Null if no wallet can pay it. */
  boughtLane(entry: Entry, input: Data): Lane | null
  /** The lane in the index and the descriptor. */
  statusOf: LaneOf
  /** The service's own vendor with the operator's key; null without a key. */
  targetOf(serviceId: string): Target | null
  /** Takes a live vendor's answer into account: a route that is gone is no lane until it answers again. */
  observe(entry: Entry, lane: ObservedLane, input: Data, wire: WireRequest, sent: Sent): void
}

/** Services whose machines a gateway can run itself. */
export const IN_HOUSE_MACHINES: ReadonlySet<string> = new Set(['boxa', 'boxb', 'boxd', 'boxe'])

/** The order of lanes: the operator's vendor key, a payment wallet, then public sources and in-house handlers. */
export function createLanes(sources: LaneSources): Lanes {
  /** The vendors of services. */
  const own = new Map<string, Places>()
  for (const { id, vendor } of sources.catalog.services)
    if (vendor !== undefined) own.set(id, findPlaces(sources, vendor.label ?? id, vendor))
  /** The vendors of single paths, and public sources. */
  const others = new Map<Vendor, Places>()
  /** Whether the steps of multi-source actions are live. Only routes that are gone change it. */
  const usable = new Map<string, boolean>()
  let usableSince = 0

  function placesFor(vendor: Vendor, service: string): Places {
    const known = others.get(vendor)
    if (known !== undefined) return known
    const places = findPlaces(sources, vendor.label ?? service, vendor)
    others.set(vendor, places)
    return places
  }

  function ownPlaces(service: Service, action: Action, input: Data): Places | undefined {
    const vendor = action.kind === 'endpoint' ? action.entryFor(input)?.vendor : undefined
    return vendor === undefined ? own.get(service.id) : placesFor(vendor, service.id)
  }

  function laneFor(entry: Entry, mode: Mode, input: Data): Lane | null {
    const avoided = mode === 'live' ? sources.gone?.isAvoided : undefined
    // Without another lane a call tries the route, which shows whether it answers again.
    return (
      firstLane(entry, mode, input, avoided ?? (() => false)) ??
      (avoided === undefined ? null : firstLane(entry, mode, input, () => false))
    )
  }

  function firstLane(
    { service, name, action }: Entry,
    mode: Mode,
    input: Data,
    isAvoided: (route: Route) => boolean,
  ): Lane | null {
    const works = (place: ObservedLane | null): boolean => {
      const route = place === null ? null : routeOf({ service, name, action }, place, input)
      return route === null || !isAvoided(route)
    }
    if (action.kind === 'local')
      return mode === 'test' ||
        (action.atVendor
          ? targetOf(service.id) !== null || runsMachines(service.id)
          : isAnyUsable(action.needs(input)))
        ? { kind: 'local', handler: action.handler }
        : null
    if (mode === 'live' && action.kind === 'call' && action.isOnlyInHouse?.(input) === true)
      return laneWithoutKey(service, action, mode, input, works)
    const ownHandler =
      action.kind === 'job' && mode === 'live' ? action.inHouse?.handlerFor(input) : undefined
    if (ownHandler !== undefined) return inHouseLane(ownHandler)
    const place = apart(
      `${service.id}/${name}`,
      action,
      ownPlaces(service, action, input)?.[mode] ?? null,
    )
    const ownLane =
      place === null || !works(place)
        ? null
        : { ...place, source: sourceFor(action, input, place.kind === 'vendor') }
    if (ownLane !== null && ownLane.kind !== 'open') return ownLane
    const without = ownLane ?? laneWithoutKey(service, action, mode, input, works)
    const bought = mode === 'live' ? boughtLane({ service, action }, input, without) : null
    return bought !== null && works(bought) ? bought : without
  }

  function boughtLane(
    { service, action }: Pick<Entry, 'service' | 'action'>,
    input: Data,
    otherwise: Lane | null = null,
  ): WalletLane | null {
    const merchant = merchantOf(action)
    if (merchant === undefined || !canPay(merchant.at) || !merchant.sells(input)) return null
    return {
      kind: 'wallet',
      target: merchantTarget(sources, service, merchant.at),
      source: merchant,
      otherwise,
    }
  }

  /** Adds a separate gate if the vendor limits this action separately. */
  function apart(label: string, action: Action, place: Place | null): Place | null {
    if (action.kind !== 'call' || action.limits === undefined || place?.target.gate === undefined)
      return place
    return { ...place, target: gated(sources, label, place.target, action.limits) }
  }

  function canPay({ method, asset }: Merchant): boolean {
    return (
      sources.payments?.some(
        ({ name, assets }) =>
          name === method &&
          assets.some(
            ({ currency, chainId }) => currency === asset.currency && chainId === asset.chainId,
          ),
      ) === true
    )
  }

  function laneWithoutKey(
    service: Service,
    action: Exclude<Action, LocalAction>,
    mode: Mode,
    input: Data,
    works: (place: Place | null) => boolean,
  ): Lane | null {
    const { openSource, inHouse, inHouseCheck } = alternativesOf(action, input)
    const otherPlace =
      openSource === undefined ? null : placesFor(openSource.vendor, service.id)[mode]
    if (openSource !== undefined && otherPlace !== null && works(otherPlace))
      return { ...otherPlace, source: openSource, check: openSource.check }
    return mode === 'live' && inHouse !== undefined ? inHouseLane(inHouse, inHouseCheck) : null
  }

  function inHouseLane(handler: string, check?: LaneRules['check']): Lane | null {
    return sources.inHouse.has(handler) ? { kind: 'in-house', handler, check } : null
  }

  function statusOf(serviceId: string, actionName: string, endpoint?: string): LaneStatus {
    const { action, service } = sources.catalog.findAction(serviceId, actionName)
    if (action.kind === 'job' && action.inHouse !== undefined)
      return statusOfModels(action.inHouse, {
        inHouse: sources.inHouse,
        hasVendor: targetOf(service.id) !== null,
        model: endpoint,
      })
    if (action.kind === 'local' && action.atVendor)
      return {
        live:
          targetOf(service.id) !== null ? 'vendor' : runsMachines(service.id) ? 'in-house' : null,
        lanes: ['vendor', ...(IN_HOUSE_MACHINES.has(service.id) ? ['in-house'] : [])],
      }
    if (action.kind === 'local') {
      return { live: isAnyUsable(action.uses) ? 'in-house' : null, lanes: ['in-house'] }
    }
    if (
      action.kind === 'endpoint' &&
      endpoint === undefined &&
      sources.gone?.hasAny(serviceId, actionName) === true
    )
      return statusOfEndpoints(serviceId, actionName, action)
    const entry = { service, name: actionName, action }
    let hasLost = false
    const isGone = (one: ObservedLane | null): boolean => {
      const route = one === null ? null : routeOf(entry, one, { endpoint })
      const isListed = route !== null && sources.gone?.isGone(route) === true
      hasLost ||= isListed
      return isListed
    }
    const needsKey = service.vendor !== undefined && service.vendor.auth.in !== 'none'
    const alternatives =
      action.kind === 'endpoint' && endpoint === undefined
        ? action.endpoints
        : [alternativesOf(action, { endpoint })]
    const worksWithout =
      (service.vendor !== undefined && isOpen(service.vendor)) ||
      alternatives.some(
        ({ openSource, inHouse }) => openSource !== undefined || inHouse !== undefined,
      )
    const listed = ownPlaces(service, action, { endpoint })?.live ?? null
    const place = isGone(listed) ? null : listed
    const merchant = merchantOf(action)
    const isSold =
      merchant !== undefined && (endpoint === undefined || merchant.sells({ endpoint }))
    const lanes = [
      ...(needsKey ? ['vendor'] : []),
      ...(isSold ? ['wallet'] : []),
      ...(worksWithout ? ['in-house'] : []),
    ]
    const live =
      isSold &&
      place?.kind !== 'vendor' &&
      canPay(merchant.at) &&
      !isGone({ kind: 'wallet', target: merchantTarget(sources, service, merchant.at) })
        ? 'wallet'
        : liveLane(place, alternatives, (source) =>
            isGone(placesFor(source.vendor, service.id).live),
          )
    const part = live === 'in-house' && action.kind === 'call' ? action.inHousePart : undefined
    const note = part === undefined ? undefined : sources.inHouseNotes?.get(part)
    return {
      live,
      lanes,
      ...(note === undefined ? {} : { note }),
      ...(live === null && hasLost ? { gone: true } : {}),
    }
  }

  function liveLane(
    place: Place | null,
    alternatives: readonly Alternatives[],
    isGone: (source: OpenSource) => boolean,
  ): LaneStatus['live'] {
    if (place !== null) return place.kind === 'vendor' ? 'vendor' : 'in-house'
    const isLive = alternatives.some(
      ({ openSource, inHouse }) =>
        (openSource !== undefined && !isGone(openSource)) ||
        (inHouse !== undefined && sources.inHouse.has(inHouse)),
    )
    return isLive ? 'in-house' : null
  }

  /** Live as long as one of its paths is. */
  function statusOfEndpoints(service: string, name: string, action: EndpointAction): LaneStatus {
    const all = action.endpoints.map(({ endpoint }) => statusOf(service, name, endpoint))
    return {
      live: all.find(({ live }) => live !== null)?.live ?? null,
      lanes: [...new Set(all.flatMap(({ lanes }) => lanes))],
      ...(all.some(({ gone }) => gone) ? { gone: true } : {}),
    }
  }

  const runsMachines = (id: string): boolean => sources.inHouseMachines?.has(id) === true
  /** Input that needs no service is always usable. */
  function isAnyUsable(needed: readonly string[]): boolean {
    return needed.length === 0 || needed.some((one) => isUsable(one))
  }

  function isUsable(used: string): boolean {
    const revision = sources.gone?.revision() ?? 0
    if (usableSince !== revision) usable.clear()
    usableSince = revision
    const known = usable.get(used)
    if (known !== undefined) return known
    const [service = '', name = ''] = used.split('/')
    const { live } = statusOf(service, name)
    const { action } = sources.catalog.findAction(service, name)
    const isLive = live === 'in-house' ? !isForCallsOnly(action) : live !== null
    usable.set(used, isLive)
    return isLive
  }

  function targetOf(serviceId: string): Target | null {
    return own.get(serviceId)?.live?.target ?? null
  }
  return {
    laneFor,
    boughtLane,
    statusOf,
    targetOf,
    observe(entry, lane, input, wire, sent) {
      const route = sources.gone === undefined ? null : routeOf(entry, lane, input)
      if (route !== null) sources.gone?.observe(route, wire, input, sent)
    },
  }
}
