/** The documents of the index: one for each action, and one for each endpoint of a passthrough. */
import { endpointKeywords } from '../../catalog/endpoints/endpoint-keywords.ts'
import type {
  Action,
  EndpointAction,
  EndpointEntry,
  Service,
} from '../../catalog/vocabulary/define.ts'
import { endpointName } from '../../catalog/titles/endpoint-names.ts'
import type { LaneOf } from '../../catalog/published/lane.ts'
import { leastCharge, leastEndpointCharge } from '../../catalog/prices/price.ts'
import { centsNumber } from '../../catalog/published/price-block.ts'
import { listParams } from '../../catalog/published/param-lines.ts'
import { requiredEndpointParams, requiredParams } from '../../catalog/published/required-params.ts'

export type Hit = {
  readonly service: string
  readonly action: string
  /** The value of the parameter `endpoint`; null unless the action is a passthrough. */
  readonly endpoint: string | null
  /** The name for people. */
  readonly title: string
  /** The least cost of a useful call. */
  readonly price_cents: number
  readonly required_params: readonly string[]
  /** Sets of parameters, exactly one of which is also required. */
  readonly required_one_of?: readonly (readonly string[])[]
  readonly summary: string
  readonly live: boolean
}

/** The texts of a document. Each field has a weight. */
export type Fields = {
  readonly name: string
  readonly summary: string
  readonly keywords: string
  readonly params: string
  readonly description: string
}

/** `prior` scales the score. It ranks an action above an endpoint that shares the same words. */
export type SearchDocument = { readonly hit: Hit; readonly fields: Fields; readonly prior: number }

const ENDPOINT_PRIOR = 0.85
/** Ranks "extend a browser" below "open a browser". */
const FOLLOW_UP_PRIOR = 0.92
/** Endpoints that open an app do not return its data. */
const APP_LINK_PRIOR = 0.7
const APP_LINK = /\/open_\w+_app_to_/
/** An action is not a match for the inputs that its description rejects. */
const REFUSAL = /[^.]*\b(?:is|are) (?:refused|rejected)\b[^.]*\./g
/** Path segments without meaning. */
const PATH_NOISE = /\/(?:apis?|v\d+|web|app)(?:_v\d+)?(?=\/)/g

export function createDocuments(services: readonly Service[], laneOf: LaneOf): SearchDocument[] {
  return services.flatMap((service) =>
    Object.entries(service.actions).flatMap(([name, action]) => {
      const live = laneOf(service.id, name).live !== null
      return action.kind === 'endpoint'
        ? action.endpoints.map((entry) =>
            endpointDocument(
              service,
              name,
              action,
              entry,
              laneOf(service.id, name, entry.endpoint).live !== null,
            ),
          )
        : [actionDocument(service, name, action, live)]
    }),
  )
}

function actionDocument(
  service: Service,
  name: string,
  action: Action,
  live: boolean,
): SearchDocument {
  const { required_params, required_one_of } = requiredParams(action)
  const choice = required_one_of.length === 0 ? {} : { required_one_of }
  return {
    prior: action.exampleNeeds.length > 0 ? FOLLOW_UP_PRIOR : 1,
    hit: {
      service: service.id,
      action: name,
      endpoint: null,
      title: action.title,
      price_cents: centsNumber(leastCharge(action)),
      required_params,
      ...choice,
      summary: action.summary,
      live,
    },
    fields: {
      name: `${service.id} ${name}`,
      summary: action.summary,
      keywords: action.keywords.join(' '),
      params: listParams(action)
        .map((line) => `${line.name} ${line.description}`)
        .join(' '),
      description: `${service.title} ${service.category} ${(action.description ?? '').replaceAll(REFUSAL, '')}`,
    },
  }
}

function endpointDocument(
  service: Service,
  name: string,
  action: EndpointAction,
  entry: EndpointEntry,
  live: boolean,
): SearchDocument {
  const { required_params, required_one_of } = requiredEndpointParams(entry)
  const choice = required_one_of.length === 0 ? {} : { required_one_of }
  return {
    prior: APP_LINK.test(entry.endpoint) ? APP_LINK_PRIOR : ENDPOINT_PRIOR,
    hit: {
      service: service.id,
      action: name,
      endpoint: entry.endpoint,
      title: endpointName(service, name, entry.endpoint).title,
      price_cents: centsNumber(leastEndpointCharge(action, entry)),
      required_params,
      ...choice,
      summary: entry.summary,
      live,
    },
    fields: {
      name: entry.endpoint.replaceAll(PATH_NOISE, ''),
      summary: entry.summary,
      keywords: `${service.id} ${name} ${endpointKeywords.get(entry.endpoint) ?? ''}`,
      params: entry.params.map((param) => `${param.name} ${param.description ?? ''}`).join(' '),
      description: `${service.title} ${service.category} ${action.keywords.join(' ')} ${action.summary}`,
    },
  }
}
