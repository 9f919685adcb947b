/** Which fields of an action take names, words or filters. */
import type { JsonSchema } from '../../../catalog/published/json-schema.ts'
import { toMissing, type Missing } from '../filling/fill.ts'
import type { Slot } from '../filling/slots.ts'

/** Kinds of fields that take words of any subject. */
export const WORDS = new Set(['text', 'title', 'role', 'subject', 'other', 'place', 'city'])

export function slotsOf(schema: JsonSchema): Slot[] {
  return Object.keys(schema.properties ?? {}).map((name) => toMissing(name, schema).slot)
}

export function takesName(slot: Slot): boolean {
  return (
    slot.kind === 'named' && ['company', 'quoted', 'person', 'handle'].includes(slot.of[0] ?? '')
  )
}

const FILTERS = new Set([
  'named',
  'text',
  'prompt',
  'place',
  'city',
  'state',
  'role',
  'subject',
  'coin',
  'chat',
])
/** The fields that narrow what an action returns, the most useful first. */
export function filtersOf(schema: JsonSchema): Missing[] {
  return Object.keys(schema.properties ?? {})
    .map((name) => toMissing(name, schema))
    .filter(({ slot }) => FILTERS.has(slot.kind))
}
