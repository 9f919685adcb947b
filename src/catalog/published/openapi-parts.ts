/** Building blocks for the operations of the OpenAPI document. */
import { errorCatalog, type ErrorSpec } from '../../errors/catalog.ts'

export const text = { type: 'string' }
export const texts = { type: 'array', items: text }
export const anyObject = { type: 'object' }
export const liveSchema = {
  type: ['string', 'null'],
  description: 'The lane in use on this gateway. If null, calls answer 503.',
}

/** Prices that the operator announced. */
export const upcomingPrices = (priceId: object) => ({
  type: 'array',
  description: 'Prices that the operator announced, earliest first. Absent without any.',
  items: {
    type: 'object',
    required: ['from', 'price', 'price_id'],
    properties: {
      from: { type: 'string', format: 'date-time' },
      price: schemaRef('Price'),
      price_id: priceId,
    },
  },
})

export const jsonContent = (schema: object, example?: unknown) => ({
  'application/json': { schema, ...(example === undefined ? {} : { example }) },
})
export const schemaRef = (name: string) => ({ $ref: `#/components/schemas/${name}` })
export const parameterRef = (name: string) => ({ $ref: `#/components/parameters/${name}` })

/** Every status in the error catalog, ascending. */
export const errorStatuses: readonly number[] = [
  ...new Set(Object.values<ErrorSpec>(errorCatalog).map(({ status }) => status)),
].toSorted((a, b) => a - b)

/** References to the shared error responses of these statuses. */
export function errorResponses(statuses: readonly number[]): Record<string, object> {
  return Object.fromEntries(
    statuses.map((status) => [String(status), { $ref: `#/components/responses/Error${status}` }]),
  )
}

/** A JSON success response, and the shared error responses of these statuses. */
export function answers(
  success: {
    readonly status?: number
    readonly description: string
    readonly schema: object
    readonly headers?: object
  },
  statuses: readonly number[],
) {
  const { status = 200, description, schema, headers } = success
  return {
    [status]: {
      description,
      ...(headers === undefined ? {} : { headers }),
      content: jsonContent(schema),
    },
    ...errorResponses(statuses),
  }
}
