/** GET /openapi.json: one operation per action, and the gateway's other routes. OpenAPI 3.1. */
import { errorCatalog } from '../../errors/catalog.ts'
import type { Action, Service } from '../define.ts'
import { billingBlock } from './billing-block.ts'
import type { Published } from './catalog-index.ts'
import { inputSchema, type JsonSchema } from './json-schema.ts'
import { components } from './openapi-components.ts'
import { gatewayPaths } from './openapi-routes.ts'
import { priceBlock } from './price-block.ts'

const VERSION = '1'

export function openapi(published: Published) {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tollgate',
      version: VERSION,
      summary: 'One key, one balance and one call shape for the things that software agents need.',
      description: 'Every action is called with POST /api/run/{service}/{action}. A call is charged only as its x-billing says; failures are never charged. Prices are in x-price, in cents.',
    },
    servers: [{ url: published.publicUrl }],
    security: [{ key: [] }],
    tags: published.services.map(({ id, title }) => ({ name: id, description: title })),
    paths: { ...actionPaths(published), ...gatewayPaths },
    components,
  }
}

function actionPaths(published: Published) {
  return Object.fromEntries(
    published.services.flatMap((service) =>
      Object.entries(service.actions).map(([name, action]) => [`/api/run/${service.id}/${name}`, { post: operation(published, service, name, action) }] as const),
    ),
  )
}

function operation({ laneOf }: Published, service: Service, name: string, action: Action) {
  return {
    operationId: `${service.id}_${name}`.replaceAll(/[^A-Za-z0-9_]/g, '_'),
    tags: [service.id],
    summary: action.summary,
    description: action.description ?? action.summary,
    parameters: [{ $ref: '#/components/parameters/IdempotencyKey' }],
    requestBody: { required: true, content: { 'application/json': { schema: bodySchema(action), example: action.example } } },
    responses: {
      200: { $ref: '#/components/responses/Envelope' },
      ...Object.fromEntries(callStatuses.map((status) => [status, { $ref: '#/components/responses/Error' }])),
    },
    'x-price': priceBlock(action),
    'x-billing': billingBlock(action),
    'x-live': laneOf(service.id, name).live,
  }
}

const callStatuses = [...new Set(Object.values(errorCatalog).map(({ status }) => status))].toSorted((a, b) => a - b)

/** The input as it is validated, with `max_cost_cents` beside it, which every action accepts. */
function bodySchema(action: Action): JsonSchema {
  const { discriminator: _, ...schema } = inputSchema(action)
  if (schema.oneOf !== undefined && action.kind === 'endpoint') return { ...schema, oneOf: schema.oneOf.map(withMaxCost) }
  return withMaxCost(schema)
}

function withMaxCost(schema: JsonSchema): JsonSchema {
  return { ...schema, properties: { max_cost_cents: { $ref: '#/components/schemas/MaxCostCents' } as JsonSchema, ...schema.properties } }
}
