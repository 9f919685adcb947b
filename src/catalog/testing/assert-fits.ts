import assert from 'node:assert/strict'
import { Value } from 'typebox/value'
import type { TSchema } from '../../lib/schema.ts'
import { createCatalog } from '../index.ts'
import type { JsonSchema } from '../published/json-schema.ts'

const catalog = createCatalog()

/** The gateway adds these fields to answers. */
const ADDED = new Set(['data.content_trust', 'data.kept_files', 'data.transaction_id'])

/**
 * Asserts that the answer of an action has the shape of its record, and that the shape names each
 * of its fields. For answers that the gateway builds itself. `id` is "service/action", for a path
 * of a passthrough with a space and the path.
 */
export function assertFits(id: string, data: unknown): void {
  const [, service = '', place = '', name = ''] = /^([^/]+)\/((\S+).*)$/.exec(id) ?? []
  const schema = catalog.findAction(service, name).service.returns?.[place]
  assert.ok(schema !== undefined, `${id} has a shape`)
  // An answer has no undefined fields after it is sent.
  const sent: unknown = JSON.parse(JSON.stringify(data))
  assert.deepEqual([...Value.Errors(schema, sent)], [], id)
  assert.deepEqual(unnamedFields(schema as JsonSchema, sent, 'data'), [], id)
}

function unnamedFields(schema: JsonSchema, value: unknown, path: string): string[] {
  const shape = schema.anyOf?.find((one) => Value.Check(one as TSchema, value)) ?? schema
  const { properties = {}, items } = shape
  if (Array.isArray(value) && items !== undefined)
    return value.flatMap((item) => unnamedFields(items, item, `${path}[]`))
  // An object without named fields is an open one.
  if (typeof value !== 'object' || value === null || Object.keys(properties).length === 0) return []
  return Object.entries(value).flatMap(([field, content]) => {
    const named = properties[field]
    return named === undefined
      ? [`${path}.${field}`].filter((place) => !ADDED.has(place))
      : unnamedFields(named, content, `${path}.${field}`)
  })
}
