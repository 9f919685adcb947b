/** Generates JSON for a JSON Schema: a model's structured answer or a tool's arguments. Ignores patterns and conditions. */
import { fieldsOf, isFields, listedFields, type Fields } from '../lib/json-fields.ts'
import { partsOf } from '../lib/json-pointer.ts'

/** The limit of characters written and schema entries read: a recursive schema can require more than the memory. */
const MAX_WORK = 65_536
/** From this depth only required fields, so that a recursive schema ends. */
const SPARING_DEPTH = 8
const MAX_DEPTH = 16

const FORMATS: Readonly<Record<string, string>> = {
  email: 'simulated@example.com',
  uri: 'https://example.com/simulated',
  url: 'https://example.com/simulated',
  uuid: '00000000-0000-4000-8000-000000000000',
  'date-time': '2026-01-01T00:00:00Z',
  date: '2026-01-01',
  time: '00:00:00Z',
  duration: 'P1D',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
}

export function sampleOf(schema: unknown): unknown {
  return sample(schema, { root: schema, left: MAX_WORK }, 0)
}

type Work = { readonly root: unknown; left: number }

function sample(schema: unknown, work: Work, depth: number): unknown {
  const one = fieldsOf(schema)
  work.left -= 2 + breadthOf(one)
  if (depth >= MAX_DEPTH || work.left <= 0) return null
  if (typeof one['$ref'] === 'string')
    return sample(resolveReference(one['$ref'], work.root), work, depth + 1)
  if (Array.isArray(one['allOf'])) return sample(mergeAllOf(one, work), work, depth + 1)
  const alternatives = listedFields(one['anyOf'] ?? one['oneOf'])
  if (alternatives.length > 0) {
    const { anyOf: _, oneOf: __, ...rest } = one
    return sample(
      { ...rest, ...prefer(alternatives, ({ type }) => type === 'null', depth) },
      work,
      depth + 1,
    )
  }
  if ('const' in one) return useValue(one['const'], work)
  if (Array.isArray(one['enum']) && one['enum'].length > 0) return useValue(one['enum'][0], work)
  return ofType(one, work, depth)
}

function ofType(one: Fields, work: Work, depth: number): unknown {
  const { type: named, properties, items } = one
  const type = Array.isArray(named)
    ? prefer<unknown>(named, (name) => name === 'null', depth)
    : named
  if (type === 'object' || properties !== undefined) return objectOf(one, work, depth)
  if (type === 'array' || items !== undefined) return arrayOf(one, work, depth)
  if (type === 'integer' || type === 'number') return numberOf(one, type === 'integer')
  if (type === 'boolean') return true
  return type === 'null' ? null : useValue(textOf(one), work)
}

function objectOf(
  { properties, required, additionalProperties }: Fields,
  work: Work,
  depth: number,
): Fields {
  const named = fieldsOf(properties)
  const needed = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []
  const names = new Set(depth >= SPARING_DEPTH ? needed : [...Object.keys(named), ...needed])
  const made: [string, unknown][] = []
  for (const name of names) {
    work.left -= name.length
    if (work.left <= 0) break
    made.push([
      name,
      sample(Object.hasOwn(named, name) ? named[name] : additionalProperties, work, depth + 1),
    ])
  }
  return Object.fromEntries(made)
}

function arrayOf(
  { items, prefixItems, minItems, maxItems }: Fields,
  work: Work,
  depth: number,
): unknown[] {
  const places: readonly unknown[] = Array.isArray(prefixItems)
    ? prefixItems
    : Array.isArray(items)
      ? items
      : []
  const wanted = Math.max(places.length, numeric(minItems) ?? 0, depth >= SPARING_DEPTH ? 0 : 1)
  const count = Math.min(wanted, numeric(maxItems) ?? wanted)
  const made: unknown[] = []
  while (made.length < count && work.left > 0)
    made.push(sample(places[made.length] ?? items, work, depth + 1))
  return made
}

/** The number nearest to one within the bounds. */
function numberOf(
  { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf }: Fields,
  isInteger: boolean,
): number {
  const step = numeric(multipleOf) ?? (isInteger ? 1 : 0)
  const [above, below] = [numeric(exclusiveMinimum), numeric(exclusiveMaximum)]
  const gap = step > 0 ? step : above !== null && below !== null ? (below - above) / 2 : 1
  const least = Math.max(numeric(minimum) ?? -Infinity, above === null ? -Infinity : above + gap)
  const most = Math.min(numeric(maximum) ?? Infinity, below === null ? Infinity : below - gap)
  const near = Math.min(Math.max(1, least), most)
  if (step <= 0) return near
  const rounded = Math.ceil(near / step) * step
  return rounded > most ? Math.floor(near / step) * step : rounded
}

function textOf({ format, minLength, maxLength }: Fields): string {
  const known = typeof format === 'string' ? FORMATS[format] : undefined
  if (known !== undefined) return known
  return 'simulated'
    .padEnd(Math.min(numeric(minLength) ?? 0, MAX_WORK), ' simulated')
    .slice(0, numeric(maxLength) ?? undefined)
}

/** The first choice that is not null, or that is null beyond the depth. */
function prefer<Choice>(
  choices: readonly Choice[],
  isNull: (choice: Choice) => boolean,
  depth: number,
): Choice | undefined {
  return choices.find((choice) => isNull(choice) === depth >= SPARING_DEPTH) ?? choices[0]
}

/** A value from the schema, or null once the limit is used up. */
function useValue(value: unknown, work: Work): unknown {
  work.left -= JSON.stringify(value).length
  return work.left > 0 ? value : null
}

/** Resolves "#/$defs/name". Undefined for any other reference. */
function resolveReference(reference: string, root: unknown): unknown {
  return reference.startsWith('#')
    ? partsOf(reference).reduce<unknown>(
        (place, name) => (isFields(place) && Object.hasOwn(place, name) ? place[name] : undefined),
        root,
      )
    : undefined
}

/** Merges all parts of `allOf` into one schema. */
function mergeAllOf({ allOf: list, ...rest }: Fields, work: Work): Fields {
  const parts = [rest]
  for (const part of listedFields(list)) {
    const one =
      typeof part['$ref'] === 'string' ? fieldsOf(resolveReference(part['$ref'], work.root)) : part
    work.left -= breadthOf(one)
    if (work.left <= 0) break
    parts.push(one)
  }
  const properties = Object.fromEntries(
    parts.flatMap((part) => Object.entries(fieldsOf(part['properties']))),
  )
  const required = parts.flatMap((part) =>
    Array.isArray(part['required']) ? (part['required'] as unknown[]) : [],
  )
  return {
    ...(Object.assign({}, ...parts) as Fields),
    ...(Object.keys(properties).length === 0 ? {} : { properties, required }),
  }
}

/** The number of entries of a schema, without nested ones. */
function breadthOf(one: Fields): number {
  const reference = one['$ref']
  return Object.values(one).reduce<number>(
    (sum, value) =>
      sum + 1 + (Array.isArray(value) ? value.length : Object.keys(fieldsOf(value)).length),
    typeof reference === 'string' ? reference.length : 0,
  )
}

function numeric(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}
