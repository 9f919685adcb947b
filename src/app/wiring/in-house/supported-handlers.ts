import type { Catalog } from '../../../catalog/index.ts'
import type { Action, CallAction } from '../../../catalog/vocabulary/action.ts'
import type { EgressProxy } from '../../../upstream/proxies/egress-proxy.ts'

/**
 * `hasModel`: the router has an upstream. `parts`: the parts of IN_HOUSE that work. `without`: handlers
 * of these parts whose programs are not installed.
 */
export type HandlerMeans = {
  readonly hasModel: boolean
  readonly parts: ReadonlySet<string>
  readonly proxies: readonly Pick<EgressProxy, 'isResidential'>[]
  readonly without?: ReadonlySet<string>
}

/** The in-house handlers that records name, without those that need a missing model, part or proxy. */
export function supportedHandlers(
  catalog: Pick<Catalog, 'allActions'>,
  means: HandlerMeans,
): ReadonlySet<string> {
  return new Set(catalog.allActions().flatMap(({ action }) => handlersOf(action, means)))
}

function handlersOf(action: Action, means: HandlerMeans): readonly string[] {
  if (action.kind === 'endpoint') return action.endpoints.flatMap(({ inHouse }) => inHouse ?? [])
  if (action.kind === 'job' && action.inHouse !== undefined && means.parts.has(action.inHouse.part))
    return Object.keys(action.inHouse.examples).filter((name) => means.without?.has(name) !== true)
  if (action.kind !== 'call' || action.inHouse === undefined) return []
  return isSupported(action, means) ? [action.inHouse] : []
}

/** Whether the in-house handler of an action has all that it needs. */
export function isSupported(
  { inHouseNeedsModel, inHousePart, inHouseNeedsProxy: need }: CallAction,
  { hasModel, parts, proxies }: HandlerMeans,
): boolean {
  return (
    (hasModel || inHouseNeedsModel !== true) &&
    (inHousePart === undefined || parts.has(inHousePart)) &&
    (need === undefined ||
      proxies.some(
        ({ isResidential }) => need === 'any' || isResidential === (need === 'residential'),
      ))
  )
}
