import {
  isLaunched,
  paidTimeOf,
  type Action,
  type LocalAction,
  type MerchantSource,
  type OpenSource,
  type Service,
  type Source,
} from '../../catalog/vocabulary/define.ts'
import type { Catalog, Entry } from '../../catalog/index.ts'
import type { Merchant } from '../../catalog/vocabulary/merchant.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import type { LaneOf, LaneStatus } from '../../catalog/published/lane.ts'
import type { AddressCheck } from '../../catalog/validate/web-address.ts'
import { isOpen, type Vendor } from '../../catalog/vocabulary/wire.ts'
import type { Mode } from '../../lib/mode.ts'
import type { PaymentMethod } from '../../upstream/pay/offer.ts'
import type { Target } from '../../upstream/target.ts'
import {
  gated,
  merchantTarget,
  findPlaces,
  type Place,
  type Places,
  type PlaceSources,
} from './endpoints.ts'
import { statusOfModels } from './model-status.ts'

/** How a call can be carried out now. `open` is a public source without a key. `source` is null for an action that is more than one request of its record. */
export type Lane = LaneRules &
  (
    | {
        readonly kind: 'vendor' | 'open' | 'simulator'
        readonly target: Target
        readonly source: Source | null
      }
    | WalletLane
    | { readonly kind: 'in-house'; readonly handler: string }
    | { readonly kind: 'local'; readonly handler: string }
  )

/** `check` throws AppError for input that the lane does not support. A substitute of the vendor may support less. */
type LaneRules = {
  readonly check?: ((input: Data, checkAddress: AddressCheck) => void) | undefined
}

/** A merchant that is paid per call. `otherwise` is the next lane if it asks for more than the call may cost. */
export type WalletLane = {
  readonly kind: 'wallet'
  readonly target: Target
  readonly source: MerchantSource
  readonly otherwise: Lane | null
}

export type LaneSources = PlaceSources & {
  readonly catalog: Catalog
  /** Names of the in-house handlers that this machine supports. */
  readonly inHouse: ReadonlySet<string>
  /** Limits of parts of IN_HOUSE on this gateway, by the name of the part. */
  readonly inHouseNotes?: ReadonlyMap<string, string>
  /** Services whose machines this gateway runs itself. */
  readonly inHouseMachines?: ReadonlySet<string>
  /** The payment methods of the operator's wallets. Without them there are no wallet lanes. */
  readonly payments?: readonly Pick<PaymentMethod, 'name' | 'assets'>[]
}

export type Lanes = {
  /** The first lane that is live for this input, or null. A test call only ever goes to the simulators. */
  laneFor(entry: Entry, mode: Mode, input: Data): Lane | null
  /** The lane of the merchant, even if other lanes are live: the merchant alone stores its purchases. Null if no wallet can pay it. */
  boughtLane(entry: Entry, input: Data): Lane | null
  /** The lane in the index and the descriptor. */
  statusOf: LaneOf
  /** The service's own vendor with the operator's key; null without a key. */
  targetOf(serviceId: string): Target | null
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
  /** Whether the steps of multi-source actions are live. Settings do not change while the process runs. */
  const usable = new Map<string, boolean>()

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

  function laneFor({ service, name, action }: Entry, mode: Mode, input: Data): Lane | null {
    if (action.kind === 'local')
      return mode === 'test' ||
        (action.atVendor
          ? targetOf(service.id) !== null || runsMachines(service.id)
          : isAnyUsable(action.needs(input)))
        ? { kind: 'local', handler: action.handler }
        : null
    if (mode === 'live' && action.kind === 'call' && action.isOnlyInHouse?.(input) === true)
      return laneWithoutKey(service, action, mode, input)
    const ownHandler =
      action.kind === 'job' && mode === 'live' ? action.inHouse?.handlerFor(input) : undefined
    if (ownHandler !== undefined) return inHouseLane(ownHandler)
    const place = apart(
      `${service.id}/${name}`,
      action,
      ownPlaces(service, action, input)?.[mode] ?? null,
    )
    const ownLane =
      place === null
        ? null
        : { ...place, source: sourceFor(action, input, place.kind === 'vendor') }
    if (ownLane !== null && ownLane.kind !== 'open') return ownLane
    const without = ownLane ?? laneWithoutKey(service, action, mode, input)
    return (mode === 'live' ? boughtLane({ service, action }, input, without) : null) ?? without
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
  ): Lane | null {
    const { openSource, inHouse, inHouseCheck } = alternativesOf(action, input)
    const otherPlace =
      openSource === undefined ? null : placesFor(openSource.vendor, service.id)[mode]
    if (openSource !== undefined && otherPlace !== null)
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
    const place = ownPlaces(service, action, { endpoint })?.live ?? null
    const merchant = merchantOf(action)
    const isSold =
      merchant !== undefined && (endpoint === undefined || merchant.sells({ endpoint }))
    const lanes = [
      ...(needsKey ? ['vendor'] : []),
      ...(isSold ? ['wallet'] : []),
      ...(worksWithout ? ['in-house'] : []),
    ]
    const live =
      isSold && place?.kind !== 'vendor' && canPay(merchant.at)
        ? 'wallet'
        : liveLane(place, alternatives)
    const part = live === 'in-house' && action.kind === 'call' ? action.inHousePart : undefined
    const note = part === undefined ? undefined : sources.inHouseNotes?.get(part)
    return { live, lanes, ...(note === undefined ? {} : { note }) }
  }

  function liveLane(
    place: Place | null,
    alternatives: readonly Alternatives[],
  ): LaneStatus['live'] {
    if (place !== null) return place.kind === 'vendor' ? 'vendor' : 'in-house'
    const isLive = alternatives.some(
      ({ openSource, inHouse }) =>
        openSource !== undefined || (inHouse !== undefined && sources.inHouse.has(inHouse)),
    )
    return isLive ? 'in-house' : null
  }

  function runsMachines(serviceId: string): boolean {
    return sources.inHouseMachines?.has(serviceId) === true
  }

  /** Input that needs no service is always usable. */
  function isAnyUsable(needed: readonly string[]): boolean {
    return needed.length === 0 || needed.some((one) => isUsable(one))
  }

  function isUsable(used: string): boolean {
    const known = usable.get(used)
    if (known !== undefined) return known
    const [service = '', action = ''] = used.split('/')
    const isLive = statusOf(service, action).live !== null
    usable.set(used, isLive)
    return isLive
  }

  function targetOf(serviceId: string): Target | null {
    return own.get(serviceId)?.live?.target ?? null
  }

  return { laneFor, boughtLane, statusOf, targetOf }
}

/** Null for a job, which is more than one request, and for paid time with a key, which the gateway sells itself. */
function sourceFor(
  action: Exclude<Action, LocalAction>,
  input: Data,
  isKeyed: boolean,
): Source | null {
  if (isLaunched(action, input)) return null
  if (action.kind === 'job') return action.directly ?? null
  return isKeyed && paidTimeOf(action) !== undefined ? null : action
}

function merchantOf(action: Action): MerchantSource | undefined {
  return action.kind === 'call' || action.kind === 'endpoint' ? action.merchant : undefined
}

type Alternatives = {
  readonly openSource?: OpenSource | undefined
  readonly inHouse?: string | undefined
  readonly inHouseCheck?: LaneRules['check']
}

/** The substitutes of an action, or of the path in its input, without the vendor's key. */
function alternativesOf(action: Exclude<Action, LocalAction>, input: Data): Alternatives {
  if (action.kind === 'call') return action
  return action.kind === 'endpoint' ? (action.entryFor(input) ?? {}) : {}
}
