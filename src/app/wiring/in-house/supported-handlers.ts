import type { Catalog } from '../../../catalog/index.ts'

/** `hasModel`: the router has an upstream. `parts`: the parts of IN_HOUSE that work. */
export type HandlerMeans = { readonly hasModel: boolean; readonly parts: ReadonlySet<string> }

/** The in-house handlers that records name, without those that need a missing model or part. */
export function supportedHandlers(
  catalog: Pick<Catalog, 'allActions'>,
  { hasModel, parts }: HandlerMeans,
): ReadonlySet<string> {
  const names = catalog.allActions().flatMap(({ action }) => {
    if (action.kind === 'endpoint') return action.endpoints.flatMap(({ inHouse }) => inHouse ?? [])
    if (action.kind !== 'call' || action.inHouse === undefined) return []
    const { inHouse, inHouseNeedsModel, inHousePart } = action
    const isSupported =
      (hasModel || inHouseNeedsModel !== true) &&
      (inHousePart === undefined || parts.has(inHousePart))
    return isSupported ? [inHouse] : []
  })
  return new Set(names)
}
