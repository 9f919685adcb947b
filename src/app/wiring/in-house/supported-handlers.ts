import type { Catalog } from '../../../catalog/index.ts'
import type { CallAction } from '../../../catalog/vocabulary/action.ts'
import type { EgressProxy } from '../../../upstream/proxies/egress-proxy.ts'

/** `hasModel`: the router has an upstream. `parts`: the parts of IN_HOUSE that work. */
export type HandlerMeans = {
  readonly hasModel: boolean
  readonly parts: ReadonlySet<string>
  readonly proxies: readonly Pick<EgressProxy, 'isResidential'>[]
}

/** The in-house handlers that records name, without those that need a missing model, part or proxy. */
export function supportedHandlers(
  catalog: Pick<Catalog, 'allActions'>,
  means: HandlerMeans,
): ReadonlySet<string> {
  const names = catalog.allActions().flatMap(({ action }) => {
    if (action.kind === 'endpoint') return action.endpoints.flatMap(({ inHouse }) => inHouse ?? [])
    if (action.kind !== 'call' || action.inHouse === undefined) return []
    return isSupported(action, means) ? [action.inHouse] : []
  })
  return new Set(names)
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
