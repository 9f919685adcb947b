import type { Static, TObject, TSchema } from '../../lib/schema.ts'
import type { Validator } from '../../catalog/validate/validate.ts'

/** Validates a body. A missing body is an empty object. Throws AppError invalid_params. */
export function readBody<S extends TSchema>(
  validator: Validator,
  schema: S,
  body: unknown,
): Static<S> {
  return validator.validate(schema, body ?? {}) as Static<S>
}

/** Validates a query string and converts integers, because its values are text. Throws AppError invalid_params. */
export function readQuery<S extends TObject>(
  validator: Validator,
  schema: S,
  query: unknown,
): Static<S> {
  const given = Object.entries(query as Record<string, unknown>)
  const read = given.map(([name, value]) => [
    name,
    isWholeNumber(schema, name) ? wholeNumber(value) : value,
  ])
  return validator.validate(schema, Object.fromEntries(read)) as Static<S>
}

function isWholeNumber(schema: TObject, name: string): boolean {
  return (
    Object.hasOwn(schema.properties, name) &&
    (schema.properties[name] as { type?: unknown }).type === 'integer'
  )
}

function wholeNumber(value: unknown): unknown {
  return typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value
}
