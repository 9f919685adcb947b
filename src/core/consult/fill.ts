/** Puts what an intent names into the parameters of an action. */
import { requiredOf } from '../../catalog/published/required-params.ts'
import type { JsonSchema } from '../../catalog/published/json-schema.ts'
import type { Data } from '../../catalog/outcome.ts'
import { slotOf, type Slot } from './slots.ts'
import { valueFor, type Reading } from './values.ts'

export type Missing = { readonly name: string; readonly schema: JsonSchema; readonly slot: Slot }
export type Filled = { readonly params: Data; readonly missing: readonly Missing[] }

/** Slots that are filled also where the caller need not: naming a time, a count or a country means to use it. */
const OPTIONAL_SLOTS: ReadonlySet<Slot['kind']> = new Set(['named', 'person_part', 'country', 'state', 'city', 'place', 'role', 'site', 'count', 'from', 'to', 'window', 'flag', 'choice', 'number', 'latitude', 'longitude'])

/** `given` are values that stand already, such as those of the turn before; they are kept. */
export function fillParams(schema: JsonSchema, reading: Reading, given: Data = {}): Filled {
  const fields = Object.entries(schema.properties ?? {}).filter(([, field]) => field.const === undefined)
  const fixed = Object.fromEntries(Object.entries(schema.properties ?? {}).flatMap(([name, field]) => (field.const === undefined ? [] : [[name, field.const]])))
  const { required_params: always, required_one_of: alternatives } = requiredOf(schema)
  const isDemanded = (name: string): boolean => always.includes(name) || alternatives.some((names) => names.includes(name))
  const readings = new Map(fields.map(([name, field]) => [name, readField(name, field, reading, isDemanded(name))]))
  const has = (name: string): boolean => given[name] !== undefined || readings.get(name)?.value !== undefined || fixed[name] !== undefined

  const kindOf = (name: string): Slot['kind'] => readings.get(name)?.slot.kind ?? 'other'
  const chosen = alternatives.toSorted((one, other) => costOf(one, has, kindOf) - costOf(other, has, kindOf))[0] ?? []
  const required = [...always, ...chosen]
  const isRuledOut = (name: string): boolean => (schema.oneOf !== undefined && alternatives.some((names) => names.includes(name))) || (alternatives.some((names) => names.includes(name)) && kindOf(name) === 'text')
  const optional = fields.map(([name]) => name).filter((name) => !required.includes(name) && OPTIONAL_SLOTS.has(kindOf(name)) && !isRuledOut(name))

  const params: Record<string, unknown> = { ...fixed, ...given }
  const taken = new Set<string>()
  for (const name of [...required, ...optional.toSorted((a, b) => a.length - b.length)]) {
    const field = readings.get(name)
    if (field?.value === undefined || params[name] !== undefined) continue
    const use = useOf(field.slot)
    // What was said once is meant for one field, the one with the plainest name.
    if (use !== '' && taken.has(use) && !required.includes(name)) continue
    params[name] = field.value
    taken.add(use)
  }
  const missing = required.filter((name) => params[name] === undefined).map((name) => missingOf(name, schema))
  return { params, missing }
}

/** Of several ways to satisfy the schema the one for which most is known, and rather by what was named than by free text. */
function costOf(names: readonly string[], has: (name: string) => boolean, kindOf: (name: string) => Slot['kind']): number {
  return names.filter((name) => !has(name)).length * 10 + names.filter((name) => kindOf(name) === 'text').length
}

/** What a slot draws on; flags, choices and numbers each have words of their own. */
function useOf(slot: Slot): string {
  if (slot.kind === 'named') return slot.of[0] ?? 'named'
  return slot.kind === 'flag' || slot.kind === 'choice' || slot.kind === 'number' || slot.kind === 'person_part' || slot.kind === 'other' ? '' : slot.kind
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

function readField(name: string, field: JsonSchema, reading: Reading, isDemanded: boolean): { readonly slot: Slot; readonly value: unknown } {
  const slot = slotOf(name, field)
  return { slot, value: valueFor(slot, name, field, reading, isDemanded) }
}
