import { inputSchema, type JsonSchema } from '../../../../../catalog/published/json-schema.ts'
import { requiredOf } from '../../../../../catalog/published/required-params.ts'
import { acceptsMaxChars } from '../../../../../catalog/vocabulary/max-chars.ts'
import type { Action } from '../../../../../catalog/vocabulary/define.ts'
import { toFieldText, type PlayField } from '../../code/play-input.ts'

type Values = Readonly<Record<string, unknown>>

const LONG_TEXT_CHARS = 300

/**
 * The fields of a form for an action with example values, the required ones first. `example` chooses the
 * endpoint of a passthrough.
 */
export function playFields(action: Action, example: Values): readonly PlayField[] {
  const schema = branchOf(inputSchema(action), example)
  const { required_params: required, required_one_of: choices } = requiredOf(schema)
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) =>
    toField(name, field, { isRequired: required.includes(name), value: example[name] }),
  )
  const rank = ({ name, value }: PlayField): number => {
    if (required.includes(name)) return 0
    return value !== '' || choices.some((set) => set.includes(name)) ? 1 : 2
  }
  return [
    ...fields.toSorted((left, right) => rank(left) - rank(right)),
    ...(acceptsMaxChars(action) && schema.properties?.['max_chars'] === undefined
      ? [limitField('max_chars', example)]
      : []),
    limitField('max_cost_cents', example),
  ]
}

/** The fields that a form shows without "More parameters". */
export function isFirst({ required, value, kind }: PlayField): boolean {
  return required || value !== '' || kind === 'fixed'
}

/** The schema of the endpoint that the example names, or the schema itself. */
function branchOf(schema: JsonSchema, example: Values): JsonSchema {
  const name = schema.discriminator?.propertyName
  if (name === undefined) return schema
  return (
    schema.oneOf?.find((branch) => branch.properties?.[name]?.const === example[name]) ?? schema
  )
}

function limitField(name: string, example: Values): PlayField {
  return {
    name,
    kind: 'number',
    isInteger: true,
    required: false,
    value: toFieldText({ kind: 'number' }, example[name]),
    placeholder: 'no limit',
  }
}

function toField(
  name: string,
  schema: JsonSchema,
  { isRequired, value }: { readonly isRequired: boolean; readonly value: unknown },
): PlayField {
  const kind = kindOf(schema)
  const placeholder = schema.default === undefined ? undefined : toFieldText(kind, schema.default)
  return {
    name,
    required: isRequired && kind.kind !== 'fixed',
    ...kind,
    value: toFieldText(kind, value),
    ...(placeholder === undefined ? {} : { placeholder }),
    ...(schema.maxLength === undefined || kind.kind === 'json'
      ? {}
      : { maxLength: schema.maxLength }),
  }
}

type Kind = Omit<PlayField, 'name' | 'required' | 'value'>

function kindOf(schema: JsonSchema): Kind {
  const values = schema.enum ?? allConstants(schema)
  if (schema.const !== undefined) return { kind: 'fixed', values: [schema.const] }
  if (values !== undefined) return { kind: 'choice', values }
  if (schema.type === 'boolean') return { kind: 'choice', values: [true, false] }
  if (schema.type === 'integer' || schema.type === 'number')
    return { kind: 'number', ...(schema.type === 'integer' ? { isInteger: true } : {}) }
  if (schema.type === 'string')
    return { kind: (schema.maxLength ?? 0) >= LONG_TEXT_CHARS * 10 ? 'area' : 'text' }
  const items = schema.type === 'array' ? itemsOf(schema.items) : undefined
  if (items !== undefined) return { kind: 'lines', items }
  const acceptsText = schema.anyOf?.some(({ type }) => type === 'string') === true
  return { kind: 'json', ...(acceptsText ? { acceptsText } : {}) }
}

function allConstants({ anyOf }: JsonSchema): readonly unknown[] | undefined {
  return anyOf?.every((choice) => choice.const !== undefined) === true
    ? anyOf.map((choice) => choice.const)
    : undefined
}

/** The items of a list whose lines need no quotes. */
function itemsOf(items: JsonSchema | undefined): 'string' | 'number' | undefined {
  if (items?.type === 'string' || items?.enum?.every((value) => typeof value === 'string') === true)
    return 'string'
  return items?.type === 'integer' || items?.type === 'number' ? 'number' : undefined
}
