/** An action's parameters as lines for people. Fields of objects have dotted names. */
import type { Action, EndpointEntry } from '../vocabulary/define.ts'
import { paramWords } from '../endpoints/param-words.ts'
import { inputSchema, type JsonSchema } from './json-schema.ts'
import { requiredEndpointParams, requiredOf, type RequiredParams } from './required-params.ts'

export type ParamLine = {
  readonly name: string
  readonly type: string
  readonly required: 'yes' | 'no' | 'one of'
  readonly description: string
  /** Limits, allowed values and default as sentences, or ''. */
  readonly limits: string
}

export function listParams(action: Action): ParamLine[] {
  return linesOf(inputSchema(action), '')
}

/** The fields of an answer. `required` is no for a field that may be absent. */
export function listFields(schema: JsonSchema): ParamLine[] {
  return linesOf(schema, '')
}

export function listEndpointParams(entry: EndpointEntry): ParamLine[] {
  const rule = requiredEndpointParams(entry)
  return entry.params.map(({ name, type, description, limits = {} }) => ({
    name,
    type,
    required: requiredWord(rule, name),
    description: description ?? paramWords(name),
    limits: limitsText(limits),
  }))
}

export type FieldLine = Omit<ParamLine, 'limits'> & {
  /** The fields of the object, or of the objects of the list. */
  readonly fields: readonly FieldLine[]
}

/** The fields of an answer as a tree. Names are those of the field alone. */
export function listFieldTree(schema: JsonSchema): readonly FieldLine[] {
  const rule = requiredOf(schema)
  return Object.entries(schema.properties ?? {}).map(([name, field]) => ({
    name,
    type: typeText(field),
    required: requiredWord(rule, name),
    description: field.description ?? '',
    fields: listFieldTree(objectWithin(field).schema),
  }))
}

function linesOf(schema: JsonSchema, prefix: string): ParamLine[] {
  const rule = requiredOf(schema)
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const line = {
      name: `${prefix}${name}`,
      type: typeText(field),
      required: requiredWord(rule, name),
      description: field.description ?? '',
      limits: limitsText(field),
    }
    const { schema: inner, isList } = objectWithin(field)
    return [line, ...linesOf(inner, `${prefix}${name}${isList ? '[]' : ''}.`)]
  })
}

/** The object schema of a field: its own, that of its items, or that of an alternative. */
function objectWithin(field: JsonSchema): {
  readonly schema: JsonSchema
  readonly isList: boolean
} {
  const [found] = [field, ...(field.anyOf ?? [])].flatMap((one) =>
    one.properties !== undefined
      ? [{ schema: one, isList: false }]
      : one.items?.properties !== undefined
        ? [{ schema: one.items, isList: true }]
        : [],
  )
  return found ?? { schema: {}, isList: false }
}

function requiredWord(
  { required_params, required_one_of }: RequiredParams,
  name: string,
): ParamLine['required'] {
  if (required_params.includes(name)) return 'yes'
  return required_one_of.some((set) => set.includes(name)) ? 'one of' : 'no'
}

function typeText(field: JsonSchema): string {
  if (field.type === 'array')
    return field.items === undefined ? 'list' : `list of ${plural(typeText(field.items))}`
  if (typeof field.type === 'string') return field.type
  if (field.type !== undefined) return field.type.join(' or ')
  const choices = field.anyOf ?? field.oneOf
  if (choices !== undefined) return [...new Set(choices.map(typeText))].join(' or ')
  return (
    [
      ...new Set(allowedValues(field)?.map((value) => (value === null ? 'null' : typeof value))),
    ].join(' or ') || 'any'
  )
}

/** Turns "string" into "strings". A combined type stays unchanged. */
function plural(type: string): string {
  return /^(string|integer|number|boolean|object)$/.test(type) ? `${type}s` : type
}

function allowedValues(field: JsonSchema): readonly unknown[] | undefined {
  if (field.enum !== undefined) return field.enum
  if (field.const !== undefined) return [field.const]
  const choices = field.anyOf?.map(allowedValues)
  return choices?.every((values) => values !== undefined) === true ? choices.flat() : undefined
}

function limitsText(field: JsonSchema): string {
  const values =
    allowedValues(field) ?? (field.items === undefined ? undefined : allowedValues(field.items))
  const parts = [
    values === undefined
      ? ''
      : `One of ${values.map((value) => JSON.stringify(value)).join(', ')}.`,
    formatRange(field.minimum, field.maximum, ''),
    formatRange(field.minLength, field.maxLength, 'characters'),
    formatRange(field.minItems, field.maxItems, 'items'),
    field.default === undefined ? '' : `Default ${JSON.stringify(field.default)}.`,
  ]
  return parts.filter((part) => part !== '').join(' ')
}

function formatCount(count: number): string {
  return count.toLocaleString('en-US')
}

function formatRange(least: number | undefined, most: number | undefined, unit: string): string {
  const tail = unit === '' ? '' : ` ${unit}`
  if (least !== undefined && most !== undefined)
    return `${formatCount(least)} to ${formatCount(most)}${tail}.`
  if (most !== undefined) return `At most ${formatCount(most)}${tail}.`
  // "At least 1 character" is obvious.
  return least === undefined || (unit !== '' && least <= 1)
    ? ''
    : `At least ${formatCount(least)}${tail}.`
}
