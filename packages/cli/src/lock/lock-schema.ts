/** Schemas as a lock stores them: a hash, and one line per field, so that version control shows changes. */
import { createHash } from 'node:crypto'

/** The part of JSON Schema that inputs and answers use. */
export type LockableSchema = {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly items?: LockableSchema
  readonly anyOf?: readonly LockableSchema[]
  readonly oneOf?: readonly LockableSchema[]
  readonly allOf?: readonly LockableSchema[]
  readonly properties?: Readonly<Record<string, LockableSchema>>
  readonly required?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
}

/** `fields` has the form of each field by its path: `"rows[].title": "string | null, optional"`. */
export type LockedSchema = {
  readonly hash: string
  readonly fields: Readonly<Record<string, string>>
}

export const OPTIONAL = ', optional'

export function lockSchema(schema: LockableSchema): LockedSchema {
  const found = new Map<string, string>()
  addFields(found, schema, '')
  return {
    hash: createHash('sha256')
      .update(JSON.stringify(withoutWords(schema)))
      .digest('hex')
      .slice(0, 16),
    fields: sortKeys(Object.fromEntries(found)),
  }
}

export function sortKeys<Value>(record: Readonly<Record<string, Value>>): Record<string, Value> {
  return Object.fromEntries(
    Object.entries(record).toSorted(([one], [other]) => (one < other ? -1 : 1)),
  )
}

/** Texts for people do not count. */
const WORDS = new Set(['description', 'title', 'examples', 'example', 'x-unit'])
/** Their members are names of fields, which can equal a word of JSON Schema. */
const NAMED = new Set(['properties', '$defs', 'patternProperties'])

function withoutWords(value: unknown, areNames = false): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutWords(item))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
    .filter(([name]) => areNames || !WORDS.has(name))
    .map(([name, member]) => [name, withoutWords(member, NAMED.has(name))] as const)
  return sortKeys(Object.fromEntries(entries))
}

function addFields(found: Map<string, string>, schema: LockableSchema, path: string): void {
  const { properties = {}, required = [], items } = schema
  for (const [name, field] of Object.entries(properties)) {
    const place = path === '' ? name : `${path}.${name}`
    addField(found, place, `${formOf(field)}${required.includes(name) ? '' : OPTIONAL}`)
    addFields(found, field, place)
  }
  if (items !== undefined) {
    if (items.properties === undefined) addField(found, `${path}[]`, formOf(items))
    addFields(found, items, `${path}[]`)
  }
  for (const part of schema.allOf ?? []) addFields(found, part, path)
  for (const part of [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) {
    const own = new Map<string, string>()
    addFields(own, part, path)
    // A field of one form is not in every value.
    for (const [name, form] of own)
      addField(found, name, form.endsWith(OPTIONAL) ? form : `${form}${OPTIONAL}`)
  }
}

function addField(found: Map<string, string>, path: string, form: string): void {
  const other = found.get(path)
  if (other === undefined) return void found.set(path, form)
  const isOptional = other.endsWith(OPTIONAL) && form.endsWith(OPTIONAL)
  const forms = new Set([...partsOf(other), ...partsOf(form)])
  found.set(path, `${[...forms].toSorted().join(' | ')}${isOptional ? OPTIONAL : ''}`)
}

/** The alternatives of a form, without its mark. */
export function partsOf(form: string): readonly string[] {
  const text = form.endsWith(OPTIONAL) ? form.slice(0, -OPTIONAL.length) : form
  return text.split(' | ')
}

/** "integer 1..100", "string | null", "\"fast\" | \"deep\"". */
function formOf(schema: LockableSchema): string {
  if (schema.enum !== undefined)
    return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if ('const' in schema) return JSON.stringify(schema.const)
  const parts = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]
  if (parts.length > 0 && schema.type === undefined)
    return [...new Set(parts.map(formOf))].join(' | ')
  const types = schema.type === undefined ? ['any'] : [schema.type].flat()
  return types.map((type) => `${type}${boundsOf(type, schema)}`).join(' | ')
}

function boundsOf(type: string, schema: LockableSchema): string {
  const [least, most] =
    type === 'string'
      ? [schema.minLength, schema.maxLength]
      : type === 'array'
        ? [schema.minItems, schema.maxItems]
        : type === 'integer' || type === 'number'
          ? [schema.minimum, schema.maximum]
          : []
  return least === undefined && most === undefined ? '' : ` ${least ?? ''}..${most ?? ''}`
}
