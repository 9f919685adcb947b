/** GET /openapi.json: one operation per action, and the gateway's other routes. OpenAPI 3.1. */
import type { Action, Service } from '../vocabulary/define.ts'
import { billingBlock } from './billing-block.ts'
import type { Published } from './catalog-index.ts'
import { exampleNeeds } from './example-needs.ts'
import { inputSchema, type JsonSchema } from './json-schema.ts'
import { catalogPaths } from './openapi-catalog.ts'
import { components } from './openapi-components.ts'
import { errorResponses, errorStatuses } from './openapi-parts.ts'
import { priceBlock } from './price-block.ts'

const VERSION = '1'

/** Routes that are none of the catalog's, from those who serve them. */
export type OtherRoutes = {
  readonly paths: Readonly<Record<string, object>>
  readonly schemas: Readonly<Record<string, object>>
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  /** Ways beside the key to say who asks. */
  readonly securitySchemes: Readonly<Record<string, object>>
}

export function openapi(published: Published, further: OtherRoutes) {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tollgate',
      version: VERSION,
      summary: 'One key, one balance and one call shape for the things that software agents need.',
      description:
        'Every action is called with POST /api/run/{service}/{action}. A call is charged only as its x-billing says; failures are never charged. Prices are in x-price, in cents.',
    },
    servers: [{ url: published.publicUrl }],
    security: [{ key: [] }],
    tags: [
      ...published.services.map(({ id, title }) => ({ name: id, description: title })),
      { name: 'catalog', description: 'What there is, and what it costs. Needs no key.' },
      ...further.tags,
    ],
    paths: { ...actionPaths(published), ...catalogPaths, ...further.paths },
    components: {
      ...components,
      schemas: { ...components.schemas, ...further.schemas },
      securitySchemes: { ...components.securitySchemes, ...further.securitySchemes },
    },
  }
}

function actionPaths(published: Published) {
  return Object.fromEntries(
    published.services.flatMap((service) =>
      Object.entries(service.actions).map(
        ([name, action]) =>
          [
            `/api/run/${service.id}/${name}`,
            { post: operation(published, service, name, action) },
          ] as const,
      ),
    ),
  )
}

function operation({ laneOf }: Published, service: Service, name: string, action: Action) {
  return {
    operationId: `${service.id}_${name}`.replaceAll(/[^A-Za-z0-9_]/g, '_'),
    tags: [service.id],
    summary: action.summary,
    description: action.description ?? action.summary,
    parameters: [
      { $ref: '#/components/parameters/IdempotencyKey' },
      { $ref: '#/components/parameters/RequestTimeout' },
    ],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: bodySchema(action), example: action.example } },
    },
    responses: {
      [action.answerStatus]: { $ref: '#/components/responses/Envelope' },
      ...errorResponses(callStatuses),
    },
    ...(action.exampleNeeds.length === 0 ? {} : { 'x-example-needs': exampleNeeds(action) }),
    'x-price': priceBlock(action),
    'x-billing': billingBlock(action),
    'x-live': laneOf(service.id, name).live,
  }
}

// The address and the method are right already when one of these is called.
const callStatuses = errorStatuses.filter((status) => status !== 405)

/** The input as it is validated, with `max_cost_cents` beside it, which every action accepts. */
function bodySchema(action: Action): JsonSchema {
  const { discriminator: _, ...schema } = inputSchema(action)
  if (schema.oneOf !== undefined && action.kind === 'endpoint')
    return { ...schema, oneOf: schema.oneOf.map((branch) => withMaxCost(withAnyFurther(branch))) }
  return withMaxCost(schema)
}

/**
 * A type for fields that have no name here has to fit the named ones too in most languages of typed clients, and an
 * optional one never fits it: what generators make of that does not compile. So their type is told in words.
 */
function withAnyFurther(branch: JsonSchema): JsonSchema {
  if (typeof branch.additionalProperties !== 'object') return branch
  const types = [branch.additionalProperties.type ?? 'value'].flat().join(', ')
  return {
    ...branch,
    description: `Further fields are passed on to the endpoint; each is one of ${types}.`,
    additionalProperties: true,
  }
}

function withMaxCost(schema: JsonSchema): JsonSchema {
  return {
    ...schema,
    properties: {
      max_cost_cents: { $ref: '#/components/schemas/MaxCostCents' } as JsonSchema,
      ...schema.properties,
    },
  }
}
