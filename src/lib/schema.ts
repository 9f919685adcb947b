/**
 * Builds JSON Schemas with the static types of TypeBox, and the same JSON. TypeBox itself loads 370
 * modules and gives each schema hidden properties, which costs each process 0.2 s and 6 MB.
 */
import type { TSchema, Type as TypeBox } from 'typebox'

export type { Static, TEnum, TObject, TOptional, TProperties, TSchema } from 'typebox'

type Fields = Readonly<Record<string, unknown>>

// As in TypeBox, it is not enumerable: a copy of an optional field is required.
const OPTIONAL = '~optional'
const ANY_KEY = '^.*$'

const builders = {
  String: (more: Fields = {}) => ({ type: 'string', ...more }),
  Integer: (more: Fields = {}) => ({ type: 'integer', ...more }),
  Number: (more: Fields = {}) => ({ type: 'number', ...more }),
  Boolean: (more: Fields = {}) => ({ type: 'boolean', ...more }),
  Null: (more: Fields = {}) => ({ type: 'null', ...more }),
  Unknown: (more: Fields = {}) => ({ ...more }),
  Literal: (value: string | number | boolean, more: Fields = {}) => ({
    type: typeof value,
    const: value,
    ...more,
  }),
  Enum: (values: readonly (string | number)[], more: Fields = {}) => ({ enum: values, ...more }),
  Union: (anyOf: readonly TSchema[], more: Fields = {}) => ({ anyOf, ...more }),
  Array: (items: TSchema, more: Fields = {}) => ({ type: 'array', items, ...more }),
  Record: (
    { pattern = ANY_KEY }: { readonly pattern?: string },
    value: TSchema,
    more: Fields = {},
  ) => ({
    type: 'object',
    patternProperties: { [pattern]: value },
    ...more,
  }),
  Object: (properties: Readonly<Record<string, TSchema>>, more: Fields = {}) => {
    const required = Object.keys(properties).filter((name) => !isOptional(properties[name]))
    return {
      type: 'object',
      ...(required.length > 0 ? { required } : {}),
      properties,
      ...more,
    }
  },
  Optional: (schema: TSchema) => Object.defineProperty({ ...schema }, OPTIONAL, { value: true }),
  Unsafe: (schema: TSchema) => schema,
}

function isOptional(schema: TSchema | undefined): boolean {
  return schema !== undefined && Object.hasOwn(schema, OPTIONAL)
}

/** The builders of TypeBox that the gateway uses. */
export const Type = builders as unknown as Pick<typeof TypeBox, keyof typeof builders>
