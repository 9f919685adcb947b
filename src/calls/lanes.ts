import { isLaunched, type Action, type LocalAction, type MerchantSource, type OpenSource, type Service, type Source } from '../catalog/define.ts'
import type { Catalog, Entry } from '../catalog/index.ts'
import type { Merchant } from '../catalog/merchant.ts'
import type { Data } from '../catalog/outcome.ts'
import type { LaneOf, LaneStatus } from '../catalog/published/lane.ts'
import { credentialsOf, isOpen, noAuth, type Vendor } from '../catalog/wire.ts'
import type { Dispatches } from '../upstream/http1/plain-dispatcher.ts'
import type { PaymentMethod } from '../upstream/pay/offer.ts'
import type { Gates } from '../upstream/limits/gates.ts'
import { splitBaseUrl, type Target } from '../upstream/send.ts'

/** What the operator set for a service: UPSTREAM_<LABEL>_URL and UPSTREAM_<LABEL>_<NAME>. */
export type UpstreamSettings = { readonly url: string | null; readonly credentials: Readonly<Record<string, string>> }

/** How a call can be carried out right now. `open`: a public source that needs no key. `source` is null for an action that is no single request. */
export type Lane = LaneRules & (
  | { readonly kind: 'vendor' | 'open' | 'simulator'; readonly target: Target; readonly source: Source | null }
  | WalletLane
  | { readonly kind: 'in-house'; readonly handler: string }
  | { readonly kind: 'local'; readonly handler: string }
)

/** What stands in for an action's own vendor may not do all that the action takes: throws AppError for what it does not. */
type LaneRules = { readonly check?: ((input: Data) => void) | undefined }

/** A merchant, paid for each call. `otherwise`: the next lane, for when it asks more than the call may cost. */
export type WalletLane = { readonly kind: 'wallet'; readonly target: Target; readonly source: MerchantSource; readonly otherwise: Lane | null }

export type LaneSources = {
  readonly catalog: Catalog
  readonly upstreams: ReadonlyMap<string, UpstreamSettings>
  /** For addresses that come from the catalog: public hosts only. */
  readonly guardedDispatcher: Dispatches
  /** For addresses that the operator set, which may be private. */
  readonly operatorDispatcher: Dispatches
  /** Names of the in-house handlers that can work on this machine. */
  readonly inHouse: ReadonlySet<string>
  /** Base address of the built-in simulators. */
  readonly simulatorUrl: string
  /** Tells public sources who asks. */
  readonly userAgent: string
  /** What stands before live vendors; left out: nothing does. */
  readonly gates?: Pick<Gates, 'gateOf'>
  /** What the operator's wallets can pay; nothing when left out. */
  readonly payments?: readonly Pick<PaymentMethod, 'name' | 'assets'>[]
}

export type Lanes = {
  /** The first lane that is live for this input, or null. A test call only ever goes to the simulators. */
  laneFor(entry: Entry, mode: 'live' | 'test', input: Data): Lane | null
  /** What index and descriptor publish. */
  statusOf: LaneOf
  /** Where a service's own vendor is reached with the operator's key; null where there is none. */
  targetOf(serviceId: string): Target | null
}

type Place = { readonly kind: 'vendor' | 'open' | 'simulator'; readonly target: Target }
type Places = { readonly live: Place | null; readonly test: Place }

/** Order of lanes: the operator's vendor key, then a payment wallet, then what the gateway does without one: open sources and its own work. */
export function createLanes(sources: LaneSources): Lanes {
  /** Where a service's own vendor is. */
  const own = new Map<string, Places>()
  for (const { id, vendor } of sources.catalog.services) if (vendor !== undefined) own.set(id, placesOf(sources, vendor.label ?? id, vendor))
  /** Where the vendors of single paths and the open sources are. */
  const others = new Map<Vendor, Places>()

  function placesFor(vendor: Vendor, service: string): Places {
    const known = others.get(vendor)
    if (known !== undefined) return known
    const places = placesOf(sources, vendor.label ?? service, vendor)
    others.set(vendor, places)
    return places
  }

  function ownPlaces(service: Service, action: Action, input: Data): Places | undefined {
    const vendor = action.kind === 'endpoint' ? action.entryFor(input)?.vendor : undefined
    return vendor === undefined ? own.get(service.id) : placesFor(vendor, service.id)
  }

  function laneFor({ service, name, action }: Entry, mode: 'live' | 'test', input: Data): Lane | null {
    if (action.kind === 'local') return { kind: 'local', handler: action.handler }
    const place = apart(`${service.id}/${name}`, action, ownPlaces(service, action, input)?.[mode] ?? null)
    const ownLane = place === null ? null : { ...place, source: sourceFor(action, input) }
    if (ownLane !== null && ownLane.kind !== 'open') return ownLane
    const merchant = mode === 'live' ? merchantOf(action) : undefined
    const without = ownLane ?? laneWithoutKey(service, action, mode, input)
    if (merchant === undefined || !canPay(merchant.at) || !merchant.sells(input)) return without
    return { kind: 'wallet', target: merchantTarget(sources, service, merchant.at), source: merchant, otherwise: without }
  }

  /** With a gate of its own, where the vendor limits one action by itself. */
  function apart(label: string, action: Action, place: Place | null): Place | null {
    if (action.kind !== 'call' || action.limits === undefined || place?.target.gate === undefined) return place
    return { ...place, target: gated(sources, label, place.target, action.limits) }
  }

  function canPay({ method, asset }: Merchant): boolean {
    return sources.payments?.some(({ name, assets }) => name === method && assets.some(({ currency, chainId }) => currency === asset.currency && chainId === asset.chainId)) === true
  }

  function laneWithoutKey(service: Service, action: Exclude<Action, LocalAction>, mode: 'live' | 'test', input: Data): Lane | null {
    const { openSource, inHouse, inHouseCheck } = alternativesOf(action, input)
    const otherPlace = openSource === undefined ? null : placesFor(openSource.vendor, service.id)[mode]
    if (openSource !== undefined && otherPlace !== null) return { ...otherPlace, source: openSource, check: openSource.check }
    return mode === 'live' && inHouse !== undefined && sources.inHouse.has(inHouse) ? { kind: 'in-house', handler: inHouse, check: inHouseCheck } : null
  }

  function statusOf(serviceId: string, actionName: string, endpoint?: string): LaneStatus {
    const { action, service } = sources.catalog.findAction(serviceId, actionName)
    if (action.kind === 'local' && action.opensSession !== undefined) return { live: targetOf(service.id) === null ? null : 'vendor', lanes: ['vendor'] }
    if (action.kind === 'local') {
      const isLive = action.uses.length === 0 || action.uses.some((used) => isUsable(used))
      return { live: isLive ? 'in-house' : null, lanes: ['in-house'] }
    }
    const needsKey = service.vendor !== undefined && service.vendor.auth.in !== 'none'
    const alternatives = action.kind === 'endpoint' && endpoint === undefined ? action.endpoints : [alternativesOf(action, { endpoint })]
    const worksWithout = (service.vendor !== undefined && isOpen(service.vendor)) || alternatives.some(({ openSource, inHouse }) => openSource !== undefined || inHouse !== undefined)
    const place = ownPlaces(service, action, { endpoint })?.live ?? null
    const merchant = merchantOf(action)
    const isSold = merchant !== undefined && (endpoint === undefined || merchant.sells({ endpoint }))
    const lanes = [...(needsKey ? ['vendor'] : []), ...(isSold ? ['wallet'] : []), ...(worksWithout ? ['in-house'] : [])]
    return { live: isSold && place?.kind !== 'vendor' && canPay(merchant.at) ? 'wallet' : liveLane(place, alternatives), lanes }
  }

  function liveLane(place: Place | null, alternatives: readonly Alternatives[]): LaneStatus['live'] {
    if (place !== null) return place.kind === 'vendor' ? 'vendor' : 'in-house'
    const isLive = alternatives.some(({ openSource, inHouse }) => openSource !== undefined || (inHouse !== undefined && sources.inHouse.has(inHouse)))
    return isLive ? 'in-house' : null
  }

  function isUsable(used: string): boolean {
    const [service = '', action = ''] = used.split('/')
    return statusOf(service, action).live !== null
  }

  function targetOf(serviceId: string): Target | null {
    return own.get(serviceId)?.live?.target ?? null
  }

  return { laneFor, statusOf, targetOf }
}

/** Null for a job: that is more than one request. */
function sourceFor(action: Exclude<Action, LocalAction>, input: Data): Source | null {
  if (isLaunched(action, input)) return null
  return action.kind === 'job' ? (action.directly ?? null) : action
}

function merchantOf(action: Action): MerchantSource | undefined {
  return action.kind === 'call' || action.kind === 'endpoint' ? action.merchant : undefined
}

/** No credentials go along: the payment opens the door. */
function merchantTarget(sources: LaneSources, { id, vendor }: Service, { baseUrl, readFailure = vendor?.readFailure }: Merchant): Target {
  const shape: Vendor = { baseUrl, auth: noAuth, docsUrl: baseUrl, ...(readFailure === undefined ? {} : { readFailure }) }
  return gated(sources, new URL(baseUrl).host, targetAt(sources, id, shape, null, {}, sources.guardedDispatcher))
}

type Alternatives = { readonly openSource?: OpenSource | undefined; readonly inHouse?: string | undefined; readonly inHouseCheck?: LaneRules['check'] }

/** What does an action's job, or that of the path it names, without the vendor's key. */
function alternativesOf(action: Exclude<Action, LocalAction>, input: Data): Alternatives {
  if (action.kind === 'call') return action
  return action.kind === 'endpoint' ? (action.entryFor(input) ?? {}) : {}
}

function placesOf(sources: LaneSources, label: string, vendor: Vendor): Places {
  return { live: livePlace(sources, label, vendor), test: simulatorPlace(sources, label, vendor) }
}

// A replaced address alone opens the lane too: a vendor's self-hosted edition may want no key.
function livePlace(sources: LaneSources, label: string, vendor: Vendor): Place | null {
  const settings = sources.upstreams.get(label)
  if (settings === undefined && !isOpen(vendor)) return null
  const { url = null, credentials = {} } = settings ?? {}
  if (url === null && !isOpen(vendor) && credentialsOf(vendor.auth).some((name) => credentials[name] === undefined)) return null
  const isKeyed = url !== null || (vendor.auth.in !== 'none' && settings !== undefined)
  const target = targetAt(sources, label, vendor, url, credentials, url === null ? sources.guardedDispatcher : sources.operatorDispatcher)
  const isKnown = vendor.limitsWithKey !== undefined && credentialsOf(vendor.auth).every((name) => credentials[name] !== undefined)
  return { kind: isKeyed ? 'vendor' : 'open', target: gated(sources, label, target, isKnown ? vendor.limitsWithKey : vendor.limits) }
}

function gated({ gates }: LaneSources, label: string, target: Target, limits = target.vendor.limits): Target {
  return gates === undefined ? target : { ...target, gate: gates.gateOf(label, limits) }
}

function simulatorPlace(sources: LaneSources, label: string, vendor: Vendor): Place {
  const credentials = Object.fromEntries(credentialsOf(vendor.auth).map((name) => [name, 'simulated']))
  return { kind: 'simulator', target: targetAt(sources, label, vendor, `${sources.simulatorUrl}/${label}`, credentials, sources.operatorDispatcher) }
}

/** At a replaced address all hosts of a vendor are one, told apart by the first part of the path. */
function targetAt({ userAgent }: LaneSources, label: string, vendor: Vendor, replacedBy: string | null, credentials: Target['credentials'], dispatcher: Dispatches): Target {
  const origins = Object.fromEntries(Object.entries(vendor.origins ?? {}).map(([name, address]) => [name, splitBaseUrl(replacedBy === null ? address : `${replacedBy}/${name}`)]))
  const headers = { ...vendor.headers, ...(vendor.wantsUserAgent === true ? { 'user-agent': userAgent } : {}) }
  return { service: label, vendor, ...splitBaseUrl(replacedBy ?? vendor.baseUrl), origins, headers, credentials, dispatcher }
}
