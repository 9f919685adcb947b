/** Writes a JSON Schema of the catalog as a TypeScript type. */
import type { JsonSchema } from '../../../../catalog/published/json-schema.ts'

type Schema = JsonSchema & {
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>
  /** Of a text: known values. Others are possible. */
  readonly examples?: readonly unknown[]
}

const ANY_OBJECT = 'Data'
const MOST_EXAMPLES = 12

/**
 * `depth` is the indentation in levels. Fields that a schema does not name are left out, so that a
 * misspelled field of an answer is an error.
 */
export function writeType(schema: Schema, depth: number): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined)
    return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  // With fields, the alternatives state which of them are required together.
  const choices = schema.properties === undefined ? (schema.anyOf ?? schema.oneOf) : undefined
  if (choices !== undefined) return writeUnion(choices.map((choice) => writeType(choice, depth)))
  const { type } = schema
  if (Array.isArray(type))
    return writeUnion(
      (type as readonly string[]).map((one) => writeType({ ...schema, type: one }, depth)),
    )
  return writeNamed(type as string | undefined, schema, depth)
}

function writeNamed(type: string | undefined, schema: Schema, depth: number): string {
  if (type === 'string') return writeText(schema)
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'boolean' || type === 'null') return type
  if (type === 'array') {
    const item = schema.items === undefined ? 'unknown' : writeType(schema.items, depth)
    return /^[\w.]+$|^\{[^|&]*\}$/.test(item) ? `${item}[]` : `Array<${item}>`
  }
  return type === 'object' || schema.properties !== undefined
    ? writeObject(schema, depth)
    : 'unknown'
}

function writeText({ examples = [] }: Schema): string {
  const known = examples.filter((value) => typeof value === 'string')
  return known.length === 0 || known.length > MOST_EXAMPLES
    ? 'string'
    : `${known.map((value) => JSON.stringify(value)).join(' | ')} | OtherText`
}

function writeObject(schema: Schema, depth: number): string {
  const fields = Object.entries(schema.properties ?? {})
  if (fields.length > 0)
    return writeFields(
      fields.map(([name, field]) => ({
        name,
        isRequired: schema.required?.includes(name) === true,
        description: field.description,
        type: writeType(field, depth + 1),
      })),
      depth,
    )
  const values = Object.values(schema.patternProperties ?? {})
  const more = schema.additionalProperties
  if (typeof more === 'object') values.push(more)
  return values.length === 0
    ? ANY_OBJECT
    : `Record<string, ${writeUnion(values.map((value) => writeType(value, depth)))}>`
}

export type Field = {
  readonly name: string
  readonly isRequired: boolean
  readonly description?: string | undefined
  readonly type: string
}

/** An object type with a comment for each described field; on one line without comments. */
export function writeFields(fields: readonly Field[], depth: number): string {
  const written = fields.map(({ name, isRequired, description, type }) => ({
    field: `${writeName(name)}${isRequired ? '' : '?'}: ${type}`,
    description,
  }))
  if (fields.every(({ description, type }) => description === undefined && !type.includes('\n')))
    return `{ ${written.map(({ field }) => field).join('; ')} }`
  const indent = '  '.repeat(depth + 1)
  const lines = written.map(
    ({ field, description }) => `${writeComment(description, indent)}${indent}${field}\n`,
  )
  return `{\n${lines.join('')}${'  '.repeat(depth)}}`
}

export function writeComment(text: string | undefined, indent: string): string {
  return text === undefined || text === ''
    ? ''
    : `${indent}/** ${text.replaceAll('*/', '*\\/')} */\n`
}

export function writeName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)
}

function writeUnion(types: readonly string[]): string {
  const unique = [...new Set(types)]
  return unique.includes('unknown') ? 'unknown' : unique.join(' | ')
}
