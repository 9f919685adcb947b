/** GET /openapi.json: one operation per action, and the gateway's other routes. OpenAPI 3.1. */
import { runWhole } from '../../lib/background/sliced.ts'
import { canBeJob, type Action, type Service } from '../vocabulary/define.ts'
import { answerSchema, responseSchema } from './answer-schema.ts'
import { billingBlock } from './billing-block.ts'
import { acceptsMaxChars } from '../vocabulary/max-chars.ts'
import type { Published } from './catalog-index.ts'
import { exampleNeeds } from './example-needs.ts'
import { inputSchema, type JsonSchema } from './json-schema.ts'
import { catalogPaths } from './openapi-catalog.ts'
import { components, typedEnvelope } from './openapi-components.ts'
import { errorResponses, errorStatuses } from './openapi-parts.ts'
import { priceBlock } from './price-block.ts'

const VERSION = '1'

/** The routes outside the catalog, provided by their surfaces. */
export type OtherRoutes = {
  readonly paths: Readonly<Record<string, object>>
  readonly schemas: Readonly<Record<string, object>>
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  /** Authentication schemes in addition to the API key. */
  readonly securitySchemes: Readonly<Record<string, object>>
}

export const openapi = (published: Published, further: OtherRoutes) =>
  runWhole(openapiSteps(published, further))

/** The document, one action after another. */
export function* openapiSteps(published: Published, further: OtherRoutes) {
  const actionPaths: Record<string, object> = {}
  for (const service of published.services)
    for (const [name, action] of Object.entries(service.actions)) {
      actionPaths[`/api/run/${service.id}/${name}`] = {
        post: operation(published, service, name, action),
      }
      yield undefined
    }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tollgate',
      version: VERSION,
      summary: 'One key, one balance and one API for the services that software agents need.',
      description:
        'Call every action with POST /api/run/{service}/{action}. x-billing states when a call is charged; failures are never charged. x-price states the price in cents.',
    },
    servers: [{ url: published.publicUrl }],
    security: [{ key: [] }],
    tags: [
      ...published.services.map(({ id, title }) => ({ name: id, description: title })),
      { name: 'catalog', description: 'The services, actions and prices. Needs no key.' },
      ...further.tags,
    ],
    paths: { ...actionPaths, ...catalogPaths, ...further.paths },
    components: {
      ...components,
      schemas: { ...components.schemas, ...further.schemas },
      securitySchemes: { ...components.securitySchemes, ...further.securitySchemes },
    },
  }
}

function operation({ laneOf }: Published, service: Service, name: string, action: Action) {
  return {
    operationId: `${service.id}_${name}`.replaceAll(/[^A-Za-z0-9_]/g, '_'),
    tags: [service.id],
    summary: action.title,
    description:
      action.description === undefined ? action.summary : `${action.summary} ${action.description}`,
    parameters: [
      { $ref: '#/components/parameters/IdempotencyKey' },
      { $ref: '#/components/parameters/RequestTimeout' },
      { $ref: '#/components/parameters/Prefer' },
      { $ref: '#/components/parameters/Cassette' },
    ],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: bodySchema(action), example: action.example } },
    },
    responses: {
      [action.answerStatus]: successOf(service, name, action),
      ...errorResponses(callStatuses),
    },
    ...(action.exampleNeeds.length === 0 ? {} : { 'x-example-needs': exampleNeeds(action) }),
    ...resultOf(service, name, action),
    'x-price': priceBlock(action),
    'x-billing': billingBlock(action),
    'x-live': laneOf(service.id, name).live,
  }
}

function successOf(service: Service, name: string, action: Action): object {
  const data = responseSchema(service, name, action)
  return data === undefined ? { $ref: '#/components/responses/Envelope' } : typedEnvelope(data)
}

/** `result` of core/result, once the job has ended. */
function resultOf(service: Service, name: string, action: Action): object {
  const result = canBeJob(action) ? answerSchema(service, name) : undefined
  return result === undefined ? {} : { 'x-job-result': result }
}

// An action's path and method are fixed, so these statuses do not occur.
const callStatuses = errorStatuses.filter((status) => status !== 405)

/** The validated input plus `max_cost_cents`, `price_id` and `confirm_loop`, for reading actions `max_chars`, and for jobs `webhook_url`. */
function bodySchema(action: Action): JsonSchema {
  const { discriminator: _, ...schema } = inputSchema(action)
  if (schema.oneOf !== undefined && action.kind === 'endpoint')
    return {
      ...schema,
      oneOf: schema.oneOf.map((branch) => withCallFields(action, describeAdditionalFields(branch))),
    }
  const whole = withCallFields(action, schema)
  return canBeJob(action)
    ? {
        ...whole,
        properties: {
          webhook_url: { $ref: '#/components/schemas/WebhookUrl' } as JsonSchema,
          ...whole.properties,
        },
      }
    : whole
}

/**
 * Describes the types of additional fields in words. In most generated clients their type must also
 * fit the named fields, which fails for an optional one: the client would not compile.
 */
function describeAdditionalFields(branch: JsonSchema): JsonSchema {
  if (typeof branch.additionalProperties !== 'object') return branch
  const types = [branch.additionalProperties.type ?? 'value'].flat().join(', ')
  return {
    ...branch,
    description: `Additional fields are passed through to the endpoint. Each is one of ${types}.`,
    additionalProperties: true,
  }
}

function withCallFields(action: Action, schema: JsonSchema): JsonSchema {
  return {
    ...schema,
    properties: {
      max_cost_cents: { $ref: '#/components/schemas/MaxCostCents' } as JsonSchema,
      price_id: { $ref: '#/components/schemas/PriceId' } as JsonSchema,
      confirm_loop: { $ref: '#/components/schemas/ConfirmLoop' } as JsonSchema,
      ...(acceptsMaxChars(action)
        ? { max_chars: { $ref: '#/components/schemas/MaxChars' } as JsonSchema }
        : {}),
      ...schema.properties,
    },
  }
}
