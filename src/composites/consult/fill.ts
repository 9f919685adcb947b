/** Puts what an intent names into the parameters of an action. */
import { requiredOf } from '../../catalog/published/required-params.ts'
import type { JsonSchema } from '../../catalog/published/json-schema.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { slotOf, type Slot } from './slots.ts'
import { valueFor, type IntentReading } from './values.ts'

export type Missing = { readonly name: string; readonly schema: JsonSchema; readonly slot: Slot }
export type Filled = { readonly params: Data; readonly missing: readonly Missing[] }

/** Slots that are filled also where the caller need not: naming a time, a count or a country means to use it. */
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
  'latitude',
  'longitude',
])

type Field = { readonly slot: Slot; readonly value: unknown }
type Fields = ReadonlyMap<string, Field>

/** `given` are values that stand already, such as those of the turn before; they are kept. */
export function fillParams(schema: JsonSchema, reading: IntentReading, given: Data = {}): Filled {
  const fixed = Object.fromEntries(
    Object.entries(schema.properties ?? {}).flatMap(([name, { const: value }]) =>
      value === undefined ? [] : [[name, value]],
    ),
  )
  const { required_params: always, required_one_of: alternatives } = requiredOf(schema)
  const stands = { ...fixed, ...given }
  const fields = readFields(schema, reading, always, alternatives, stands)
  const chosen =
    alternatives.toSorted(
      (one, other) => costOf(one, fields, stands) - costOf(other, fields, stands),
    )[0] ?? []
  const required = [...always, ...chosen]
  const optional = [...fields.keys()].filter(
    (name) => !required.includes(name) && isWanted(name, schema, fields, alternatives),
  )

  const params: Record<string, unknown> = { ...stands }
  const taken = new Set<string>()
  for (const name of [...required, ...optional.toSorted((a, b) => a.length - b.length)]) {
    const field = fields.get(name)
    if (field?.value === undefined || params[name] !== undefined) continue
    const use = useOf(field.slot, name)
    // What was said once is meant for one field, the one with the plainest name.
    if (use !== '' && taken.has(use) && !required.includes(name)) continue
    params[name] = field.value
    taken.add(use)
  }
  const missing = required
    .filter((name) => params[name] === undefined)
    .map((name) => missingOf(name, schema))
  return { params, missing }
}

/** What the intent has for each field. Only where the schema is not satisfied otherwise does a slot take its second best. */
function readFields(
  schema: JsonSchema,
  reading: IntentReading,
  always: readonly string[],
  alternatives: readonly (readonly string[])[],
  stands: Data,
): Fields {
  const read = (demanded: readonly string[]): Fields =>
    new Map(
      Object.entries(schema.properties ?? {})
        .filter(([, { const: value }]) => value === undefined)
        .map(([name, field]) => [name, readField(name, field, reading, demanded.includes(name))]),
    )
  const strictly = read(always)
  const isSatisfied =
    alternatives.length === 0 ||
    alternatives.some((names) => names.every((name) => has(name, strictly, stands)))
  return isSatisfied ? strictly : read([...always, ...alternatives.flat()])
}

function has(name: string, fields: Fields, stands: Data): boolean {
  return stands[name] !== undefined || fields.get(name)?.value !== undefined
}

/** Of alternatives that exclude each other one is enough, and free text is not said twice. */
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

/** Of several ways to satisfy the schema the one for which most is known, and rather by what was named than by free text. */
function costOf(names: readonly string[], fields: Fields, stands: Data): number {
  return (
    names.filter((name) => !has(name, fields, stands)).length * 10 +
    names.filter((name) => fields.get(name)?.slot.kind === 'text').length
  )
}

/** What a slot draws on; flags, choices and numbers each have words of their own. */
function useOf(slot: Slot, name: string): string {
  if (slot.kind === 'named' && slot.of[0] === 'airport') return `airport ${name}`
  if (slot.kind === 'named') return slot.of[0] ?? 'named'
  return slot.kind === 'flag' ||
    slot.kind === 'choice' ||
    slot.kind === 'number' ||
    slot.kind === 'person_part' ||
    slot.kind === 'other'
    ? ''
    : slot.kind
}

/** The first field that takes free text, for actions that demand nothing by their schema. */
export function textField(schema: JsonSchema): Missing | undefined {
  const names = Object.keys(schema.properties ?? {})
  const name = names.find((one) => slotOf(one, schema.properties?.[one] ?? {}).kind === 'text')
  return name === undefined ? undefined : missingOf(name, schema)
}

export function missingOf(name: string, schema: JsonSchema): Missing {
  const field = schema.properties?.[name] ?? {}
  return { name, schema: field, slot: slotOf(name, field) }
}

function readField(
  name: string,
  field: JsonSchema,
  reading: IntentReading,
  isDemanded: boolean,
): Field {
  const slot = slotOf(name, field)
  return { slot, value: valueFor(slot, name, field, reading, isDemanded) }
}
