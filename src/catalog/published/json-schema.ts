import type { Action } from '../vocabulary/define.ts'

/** The part of JSON Schema 2020-12 that catalog inputs use, as plain data. */
export type JsonSchema = {
  readonly type?: string | readonly string[]
  readonly title?: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
  /** A choice that the action's `check` enforces instead of the validator. Published as `oneOf`. */
  readonly checkedOneOf?: readonly JsonSchema[]
  /** Successors of values that the vendor ended. Not published. */
  readonly ended?: unknown
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly additionalProperties?: boolean | JsonSchema
  readonly discriminator?: { readonly propertyName: string }
}

/**
 * The input schema as published. The validator fills in defaults before it checks `required`, so
 * fields with a default are not published as required.
 */
export function inputSchema(action: Action): JsonSchema {
  return withoutDefaulted(action.input)
}

function withoutDefaulted({ checkedOneOf, ended: _ended, ...schema }: JsonSchema): JsonSchema {
  const { required, properties, items } = schema
  return {
    ...schema,
    ...(checkedOneOf === undefined ? {} : { oneOf: checkedOneOf }),
    ...(required === undefined
      ? {}
      : { required: required.filter((name) => properties?.[name]?.default === undefined) }),
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, field]) => [name, withoutDefaulted(field)]),
          ),
        }),
    ...(items === undefined ? {} : { items: withoutDefaulted(items) }),
  }
}
