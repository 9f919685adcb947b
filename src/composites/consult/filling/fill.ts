/** Fills the parameters of an action with the entities of an intent. */
import { requiredOf } from '../../../catalog/published/required-params.ts'
import type { JsonSchema } from '../../../catalog/published/json-schema.ts'
import type { Data } from '../../../catalog/vocabulary/outcome.ts'
import { slotOf, type Slot } from './slots.ts'
import type { IntentReading } from '../reading/intent-reading.ts'
import { valueFor } from './values.ts'

export type Missing = { readonly name: string; readonly schema: JsonSchema; readonly slot: Slot }
export type Filled = { readonly params: Data; readonly missing: readonly Missing[] }

/** Slots that are filled even if optional: a caller who names a time, count or country wants it used. */
const OPTIONAL_SLOTS: ReadonlySet<Slot['kind']> = new Set([
  'named',
  'person_part',
  'country',
  'state',
  'city',
  'place',
  'role',
  'command',
  'site',
  'count',
  'date',
  'from',
  'to',
  'window',
  'flag',
  'choice',
  'number',
  'message',
  'speech',
  'coin',
  'chain',
  'pair',
  'exchange',
  'make',
  'model',
  'year',
  'language',
  'tags',
  'version',
  'ecosystem',
  'package',
  'media',
  'inbox',
  'currency',
  'latitude',
  'longitude',
])

type Field = { readonly slot: Slot; readonly value: unknown }
type Fields = ReadonlyMap<string, Field>

/** `given` are fixed values, such as those of an earlier turn. */
export function fillParams(schema: JsonSchema, reading: IntentReading, given: Data = {}): Filled {
  const fixed = Object.fromEntries(
    Object.entries(schema.properties ?? {}).flatMap(([name, { const: value }]) =>
      value === undefined ? [] : [[name, value]],
    ),
  )
  const { required_params: always, required_one_of: alternatives } = requiredOf(schema)
  const fixedValues = { ...fixed, ...given }
  const fields = readFields(schema, reading, always, alternatives, fixedValues)
  const chosen =
    alternatives.toSorted(
      (one, other) =>
        rankAlternative(one, fields, fixedValues) - rankAlternative(other, fields, fixedValues),
    )[0] ?? []
  const required = [...always, ...chosen]
  const optional = [...fields.keys()].filter(
    (name) => !required.includes(name) && isWanted(name, schema, fields, alternatives),
  )

  const params: Record<string, unknown> = { ...fixedValues }
  const taken = new Set<string>()
  for (const name of [...required, ...optional.toSorted((a, b) => a.length - b.length)]) {
    const field = fields.get(name)
    if (field?.value === undefined || params[name] !== undefined) continue
    const use = entityOf(field.slot, name)
    // An entity fills only one field, the one with the shortest name.
    if (use !== '' && taken.has(use) && !required.includes(name)) continue
    params[name] = field.value
    taken.add(use)
  }
  const missing = required
    .filter((name) => params[name] === undefined)
    .map((name) => toMissing(name, schema))
  return { params, missing }
}

/** Reads a value for each field. Slots use their alternatives only if the schema is not satisfied otherwise. */
function readFields(
  schema: JsonSchema,
  reading: IntentReading,
  always: readonly string[],
  alternatives: readonly (readonly string[])[],
  fixedValues: Data,
): Fields {
  const read = (requiredNames: readonly string[]): Fields =>
    new Map(
      Object.entries(schema.properties ?? {})
        .filter(([, { const: value }]) => value === undefined)
        .map(([name]) => [name, readField(name, schema, reading, requiredNames.includes(name))]),
    )
  const strictly = read(always)
  const isSatisfied =
    alternatives.length === 0 ||
    alternatives.some((names) => names.every((name) => has(name, strictly, fixedValues)))
  return isSatisfied ? strictly : read([...always, ...alternatives.flat()])
}

function has(name: string, fields: Fields, fixedValues: Data): boolean {
  return fixedValues[name] !== undefined || fields.get(name)?.value !== undefined
}

/** Skips further alternatives that exclude each other or repeat free text. */
function isWanted(
  name: string,
  schema: JsonSchema,
  fields: Fields,
  alternatives: readonly (readonly string[])[],
): boolean {
  const kind = fields.get(name)?.slot.kind ?? 'other'
  const isAlternative = alternatives.some((names) => names.includes(name))
  return (
    OPTIONAL_SLOTS.has(kind) && !(isAlternative && (schema.oneOf !== undefined || kind === 'text'))
  )
}

/** Ranks alternatives: fewer missing fields first, then fewer fields of free text. */
function rankAlternative(names: readonly string[], fields: Fields, fixedValues: Data): number {
  return (
    names.filter((name) => !has(name, fields, fixedValues)).length * 10 +
    names.filter((name) => fields.get(name)?.slot.kind === 'text').length
  )
}

/** The entity that a slot uses. Empty for slots with their own words, such as flags. */
function entityOf(slot: Slot, name: string): string {
  if (slot.kind === 'named' && slot.of[0] === 'airport') return `airport ${name}`
  if (slot.kind === 'named') return slot.of[0] ?? 'named'
  // One field takes a span that ends now.
  if (slot.kind === 'window') return 'from'
  return slot.kind === 'flag' ||
    slot.kind === 'choice' ||
    slot.kind === 'number' ||
    slot.kind === 'person_part' ||
    slot.kind === 'currency' ||
    slot.kind === 'other'
    ? ''
    : slot.kind
}

const FREE_TEXT: ReadonlySet<Slot['kind']> = new Set(['text', 'prompt'])

/** The first field of free text. */
export function findTextField(schema: JsonSchema): Missing | undefined {
  const names = Object.keys(schema.properties ?? {})
  const name = names.find((one) => FREE_TEXT.has(toMissing(one, schema).slot.kind))
  return name === undefined ? undefined : toMissing(name, schema)
}

export function toMissing(name: string, schema: JsonSchema): Missing {
  const field = schema.properties?.[name] ?? {}
  return { name, schema: field, slot: slotOf(name, field, nameOfEndpoint(schema)) }
}

function nameOfEndpoint({ properties }: JsonSchema): string {
  const endpoint = properties?.['endpoint']?.const
  if (typeof endpoint === 'string') return endpoint
  return properties?.['make'] === undefined ? '' : 'vehicle'
}

function readField(
  name: string,
  schema: JsonSchema,
  reading: IntentReading,
  isRequired: boolean,
): Field {
  const { slot, schema: field } = toMissing(name, schema)
  return { slot, value: valueFor(slot, name, field, reading, isRequired) }
}
