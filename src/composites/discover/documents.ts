/** The documents of the index: one for each action, and one for each endpoint of a passthrough. */
import { endpointKeywords } from '../../catalog/endpoints/endpoint-keywords.ts'
import type {
  Action,
  EndpointAction,
  EndpointEntry,
  Service,
} from '../../catalog/vocabulary/define.ts'
import { endpointName, endpointNamesSteps } from '../../catalog/titles/endpoint-names.ts'
import type { LaneOf } from '../../catalog/published/lane.ts'
import { leastCharge, leastEndpointCharge } from '../../catalog/prices/price.ts'
import { centsNumber } from '../../catalog/published/price-block.ts'
import { listParams } from '../../catalog/published/param-lines.ts'
import { requiredEndpointParams, requiredParams } from '../../catalog/published/required-params.ts'
import { runWhole, type Steps } from '../../lib/background/sliced.ts'

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
  return runWhole(documentSteps(services, laneOf))
}

export function* documentSteps(
  services: readonly Service[],
  laneOf: LaneOf,
): Steps<SearchDocument[]> {
  const documents: SearchDocument[] = []
  for (const service of services) {
    yield* endpointNamesSteps(service)
    for (const [name, action] of Object.entries(service.actions)) {
      const isLive = (endpoint?: string): boolean =>
        laneOf(service.id, name, endpoint).live !== null
      if (action.kind !== 'endpoint') {
        documents.push(actionDocument(service, name, action, isLive()))
        yield
        continue
      }
      for (const entry of action.endpoints) {
        documents.push(endpointDocument(service, name, action, entry, isLive(entry.endpoint)))
        yield
      }
    }
  }
  return documents
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
