/** The types of lanes, and the parts of an action that each lane uses. */
import {
  isLaunched,
  paidTimeOf,
  type Action,
  type LocalAction,
  type MerchantSource,
  type OpenSource,
  type Source,
} from '../../catalog/vocabulary/define.ts'
import type { Catalog, Entry } from '../../catalog/index.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import type { AddressCheck } from '../../catalog/validate/web-address.ts'
import type { PaymentMethod } from '../../upstream/pay/offer.ts'
import type { Target } from '../../upstream/target.ts'
import type { PlaceSources } from './endpoints.ts'
import type { GoneRoutes, Route } from './gone-routes.ts'

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
export type LaneRules = {
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
  /** Without it every lane counts as working. */
  readonly gone?: GoneRoutes
}

export type ObservedLane = { readonly kind: Lane['kind']; readonly target: Target }

/** Null for a lane that is no request to a live vendor. */
export function routeOf(
  { service, name, action }: Entry,
  { kind, target }: ObservedLane,
  { endpoint }: Data,
): Route | null {
  if (kind !== 'vendor' && kind !== 'open' && kind !== 'wallet') return null
  return {
    service: service.id,
    action: name,
    endpoint: action.kind === 'endpoint' && typeof endpoint === 'string' ? endpoint : '',
    lane: kind,
    vendor: kind === 'wallet' ? new URL(target.vendor.baseUrl).host : target.service,
  }
}

/** Null for a job, which is more than one request, and for paid time with a key, which the gateway sells itself. */
export function sourceFor(
  action: Exclude<Action, LocalAction>,
  input: Data,
  isKeyed: boolean,
): Source | null {
  if (isLaunched(action, input)) return null
  if (action.kind === 'job') return action.directly ?? null
  return isKeyed && paidTimeOf(action) !== undefined ? null : action
}

/** Whether steps of multi-source actions do not use the in-house lane of the action. */
export function isForCallsOnly(action: Action): boolean {
  return action.kind === 'call' && action.isInHouseForCallsOnly === true
}

export function merchantOf(action: Action): MerchantSource | undefined {
  return action.kind === 'call' || action.kind === 'endpoint' ? action.merchant : undefined
}

export type Alternatives = {
  readonly openSource?: OpenSource | undefined
  readonly inHouse?: string | undefined
  readonly inHouseCheck?: LaneRules['check']
}

/** The substitutes of an action, or of the path in its input, without the vendor's key. */
export function alternativesOf(action: Exclude<Action, LocalAction>, input: Data): Alternatives {
  if (action.kind === 'call') return action
  return action.kind === 'endpoint' ? (action.entryFor(input) ?? {}) : {}
}
