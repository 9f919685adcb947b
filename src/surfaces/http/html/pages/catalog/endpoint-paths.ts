/** The addresses of endpoint pages. */
import type {
  EndpointAction,
  EndpointEntry,
  Service,
} from '../../../../../catalog/vocabulary/define.ts'

/** One endpoint of a passthrough action. */
export type EndpointView = {
  readonly service: Service
  readonly name: string
  readonly action: EndpointAction
  readonly entry: EndpointEntry
}

const byAction = new WeakMap<EndpointAction, ReadonlyMap<string, EndpointEntry>>()

/** The path of an endpoint's page. Braces of path parameters are left out: `/price/{id}` becomes `/price/id`. */
export function endpointPath(service: string, action: string, endpoint: string): string {
  return `/catalog/${service}/${action}/${slugOf(endpoint)}`
}

/** `slug`: the part of the path after the action. */
export function findEndpoint(action: EndpointAction, slug: string): EndpointEntry | undefined {
  let known = byAction.get(action)
  if (known === undefined)
    byAction.set(
      action,
      (known = new Map(action.endpoints.map((entry) => [slugOf(entry.endpoint), entry]))),
    )
  return known.get(slug)
}

function slugOf(endpoint: string): string {
  return endpoint.replace(/^\//, '').replaceAll(/[{}]/g, '')
}
