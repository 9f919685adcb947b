/** The schemas with which a route validates, as parts of the OpenAPI document. */
import type { TObject } from 'typebox'
import { jsonContent } from '../../../catalog/published/openapi-parts.ts'

type Field = Readonly<Record<string, unknown>> & { readonly description?: string }

/** Query parameters, one for each property of the schema. */
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

/** A body that may be left out when the schema asks for nothing. */
export function jsonBody(schema: TObject, example: unknown): object {
  const body = plain(schema)
  return { required: (body.required ?? []).length > 0, content: jsonContent(body, example) }
}

type Plain = {
  readonly properties: Readonly<Record<string, Field>>
  readonly required?: readonly string[]
}

// The builder's own marks are not enumerable: a round trip through JSON leaves the schema alone.
function plain(schema: TObject): Plain {
  return JSON.parse(JSON.stringify(schema)) as Plain
}
