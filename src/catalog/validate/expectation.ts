/**
 * Describes the values that a JSON Schema accepts, as a phrase such as "a whole number from 1 to
 * 100".
 */
export type Schema = Readonly<Record<string, unknown>>

const MAX_LISTED = 20

export function expectation(schema: Schema): string {
  if (schema['const'] !== undefined) return quoted(schema['const'])
  if (Array.isArray(schema['enum'])) return `one of ${listed(schema['enum'])}`
  const alternatives = schema['anyOf'] ?? schema['oneOf']
  if (schema['type'] === undefined && Array.isArray(alternatives))
    return (alternatives as Schema[]).map(expectation).join(', or ')
  const { type } = schema
  if (Array.isArray(type))
    return type.map((one) => expectation({ ...schema, type: one })).join(' or ')
  switch (type) {
    case 'string':
      return `a string${counted(schema['minLength'], schema['maxLength'], 'character')}`
    case 'integer':
      return `a whole number${ranged(schema)}`
    case 'number':
      return `a number${ranged(schema)}`
    case 'boolean':
      return 'true or false'
    case 'array':
      return `a list${counted(schema['minItems'], schema['maxItems'], 'item')}${eachItem(schema['items'])}`
    case 'object':
      return `an object${holding(schema['required'])}`
    case 'null':
      return 'null'
    default:
      return 'a value'
  }
}

/** Quotes values, at most twenty of them. */
export function listed(values: readonly unknown[]): string {
  const shown = values.slice(0, MAX_LISTED).map(quoted).join(', ')
  return values.length > MAX_LISTED ? `${shown} and ${values.length - MAX_LISTED} more` : shown
}

export function quoted(value: unknown): string {
  return JSON.stringify(value)
}

function eachItem(items: unknown): string {
  return typeof items === 'object' && items !== null && Object.keys(items).length > 0
    ? `, each ${expectation(items as Schema)}`
    : ''
}

function holding(required: unknown): string {
  return Array.isArray(required) && required.length > 0
    ? ` with ${required.map(quoted).join(', ')}`
    : ''
}

function counted(least: unknown, most: unknown, noun: string): string {
  const from = limit(least)
  const to = limit(most)
  const plural = (count: number) => `${count} ${noun}${count === 1 ? '' : 's'}`
  if (from !== undefined && to !== undefined)
    return from === to ? ` of ${plural(to)}` : ` of ${from} to ${plural(to)}`
  if (from !== undefined) return ` of at least ${plural(from)}`
  return to === undefined ? '' : ` of at most ${plural(to)}`
}

function ranged(schema: Schema): string {
  const least = limit(schema['minimum'])
  const most = limit(schema['maximum'])
  const above = limit(schema['exclusiveMinimum'])
  const below = limit(schema['exclusiveMaximum'])
  if (least !== undefined && most !== undefined) return ` from ${least} to ${most}`
  const from =
    least !== undefined
      ? `of at least ${least}`
      : above !== undefined
        ? `above ${above}`
        : undefined
  const to =
    most !== undefined ? `at most ${most}` : below !== undefined ? `below ${below}` : undefined
  if (from !== undefined) return ` ${from}${to === undefined ? '' : ` and ${to}`}`
  return to === undefined ? '' : most === undefined ? ` ${to}` : ` of ${to}`
}

/** Ignores the largest exact JSON number, which is not a real limit. */
function limit(value: unknown): number | undefined {
  return typeof value === 'number' && value < Number.MAX_SAFE_INTEGER ? value : undefined
}
