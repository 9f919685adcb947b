/** Converts the validation schemas of routes to parts of the OpenAPI document. */
import type { TObject } from '../../../lib/schema.ts'
import { jsonContent } from '../../../catalog/published/openapi-parts.ts'

type Field = Readonly<Record<string, unknown>> & { readonly description?: string }

/** Returns a query parameter for each property of the schema. */
export function queryParameters(schema: TObject): object[] {
  const { properties, required = [] } = plain(schema)
  return Object.entries(properties).map(([name, { description, ...field }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema: field,
  }))
}

/** Returns a request body, which is optional if the schema requires no field. */
export function jsonBody(schema: TObject, example: unknown): object {
  const body = plain(schema)
  return { required: (body.required ?? []).length > 0, content: jsonContent(body, example) }
}

type Plain = {
  readonly properties: Readonly<Record<string, Field>>
  readonly required?: readonly string[]
}

// A round trip through JSON removes the builder's own marks, which are not enumerable.
function plain(schema: TObject): Plain {
  return JSON.parse(JSON.stringify(schema)) as Plain
}
