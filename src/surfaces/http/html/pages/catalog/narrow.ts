/** Filters of the catalog, from the query of its address. */
import type { Published } from '../../../../../catalog/published/catalog-index.ts'
import { endpointName } from '../../../../../catalog/titles/endpoint-names.ts'
import { canBeJob, type Service } from '../../../../../catalog/vocabulary/define.ts'
import type { Hit } from '../../../../../composites/discover/documents.ts'

/** An action or an endpoint. Hits of a search have a `confidence`. */
export type CatalogHit = Pick<
  Hit,
  'service' | 'action' | 'endpoint' | 'title' | 'summary' | 'price_cents' | 'live'
> & { readonly confidence?: 'high' | 'low' }

export type Narrow = {
  readonly category?: string
  readonly platform?: string
  /** The most cents of a call. */
  readonly price?: string
  /** One of `MODES`. */
  readonly mode?: string
}

export const PRICES: readonly (readonly [price: string, label: string])[] = [
  ['0', 'Free'],
  ['1', 'Up to 1¢'],
  ['10', 'Up to 10¢'],
]

export const MODES: readonly (readonly [mode: string, label: string])[] = [
  ['sync', 'In the response'],
  ['job', 'As a job'],
]

export const NARROWS = ['category', 'platform', 'mode', 'price'] as const

/** Whether the hit passes the filters. `except`: the filter that does not count. */
export function passes(
  published: Published,
  hit: CatalogHit,
  narrow: Narrow,
  except?: keyof Narrow,
): boolean {
  return NARROWS.every((name) => {
    const wanted = narrow[name]
    if (wanted === undefined || name === except) return true
    if (name === 'price') return hit.price_cents <= Number(wanted)
    return READERS[name](published, hit) === wanted
  })
}

export function categoryOf({ services }: Published, { service }: CatalogHit): string {
  return serviceOf(services, service)?.category ?? ''
}

/** Names of single actions that are about one platform. The labels are those of groups of endpoints. */
const PLATFORM_NAMES: readonly (readonly [RegExp, string])[] = [
  [/\bfacebook\b/, 'Facebook'],
  [/\bgoogle-maps\b/, 'Google Maps'],
  [/\binstagram\b/, 'Instagram'],
  [/\blinkedin\b/, 'LinkedIn'],
  [/\breddit\b/, 'Reddit'],
  [/\btiktok\b/, 'TikTok'],
  [/^x-/, 'X (Twitter)'],
  [/\byoutube\b/, 'YouTube'],
]

/** The platform or subject of an endpoint, or the platform that the name of an action contains. */
export function platformOf(
  { services }: Published,
  { service, action, endpoint }: CatalogHit,
): string | null {
  const found = serviceOf(services, service)
  if (found === undefined) return null
  if (endpoint !== null) return endpointName(found, action, endpoint).group
  return PLATFORM_NAMES.find(([name]) => name.test(action))?.[1] ?? null
}

/** One of `MODES`. */
export function modeOf({ services }: Published, { service, action }: CatalogHit): string {
  const found = serviceOf(services, service)?.actions[action]
  return found !== undefined && canBeJob(found) ? 'job' : 'sync'
}

const READERS = { category: categoryOf, platform: platformOf, mode: modeOf } as const

const OTHER_NAMES: Readonly<Record<string, string>> = { composite: 'Multi-source' }

/** The name of a category for people. */
export function categoryTitle(category: string): string {
  return OTHER_NAMES[category] ?? `${category.charAt(0).toUpperCase()}${category.slice(1)}`
}

const byList = new WeakMap<readonly Service[], ReadonlyMap<string, Service>>()

/** A search looks up the service of each hit several times. */
function serviceOf(services: readonly Service[], wanted: string): Service | undefined {
  let byId = byList.get(services)
  if (byId === undefined)
    byList.set(services, (byId = new Map(services.map((service) => [service.id, service]))))
  return byId.get(wanted)
}
