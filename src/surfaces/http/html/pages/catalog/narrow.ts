/** Filters of a catalog search, from the query of its address. */
import type { Published } from '../../../../../catalog/published/catalog-index.ts'
import { endpointName } from '../../../../../catalog/titles/endpoint-names.ts'
import type { Service } from '../../../../../catalog/vocabulary/define.ts'
import type { ScoredHit } from '../../../../../composites/discover/create-discover.ts'

export type Narrow = {
  readonly category?: string
  readonly platform?: string
  /** The most cents of a call. */
  readonly price?: string
}

export const PRICES: readonly (readonly [price: string, label: string])[] = [
  ['0', 'Free'],
  ['1', 'Up to 1¢'],
  ['10', 'Up to 10¢'],
]

export const NARROWS = ['category', 'platform', 'price'] as const

/** Whether the hit passes the filters. `except`: the filter that does not count. */
export function passes(
  published: Published,
  hit: ScoredHit,
  narrow: Narrow,
  except?: keyof Narrow,
): boolean {
  return NARROWS.every((name) => {
    const wanted = narrow[name]
    if (wanted === undefined || name === except) return true
    if (name === 'price') return hit.price_cents <= Number(wanted)
    return (
      (name === 'category' ? categoryOf(published, hit) : platformOf(published, hit)) === wanted
    )
  })
}

/** The name of a category on pages. */
export function categoryTitle(category: string): string {
  return category === 'composite' ? 'multi-source' : category
}

export function categoryOf({ services }: Published, { service }: ScoredHit): string {
  return serviceOf(services, service)?.category ?? ''
}

/** The platform or subject of an endpoint; null for an action. */
export function platformOf(
  { services }: Published,
  { service, action, endpoint }: ScoredHit,
): string | null {
  const found = serviceOf(services, service)
  return found === undefined || endpoint === null
    ? null
    : endpointName(found, action, endpoint).group
}

const byList = new WeakMap<readonly Service[], ReadonlyMap<string, Service>>()

/** A search looks up the service of each hit several times. */
function serviceOf(services: readonly Service[], wanted: string): Service | undefined {
  let byId = byList.get(services)
  if (byId === undefined)
    byList.set(services, (byId = new Map(services.map((service) => [service.id, service]))))
  return byId.get(wanted)
}
