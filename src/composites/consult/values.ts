/** Reads the value of an intent for a slot. `fill.ts` decides whether to use it. */
import type { JsonSchema } from '../../catalog/published/json-schema.ts'
import { stem } from '../discover/stem.ts'
import { dayOf } from './dates.ts'
import type { Entities } from './entities.ts'
import type { IntentReading } from './intent-reading.ts'
import { emailsAfter, messageIn, namedValues, personPart } from './named-values.ts'
import { roleOf } from './people-roles.ts'
import { choicesOf, typeOf, type Slot } from './slots.ts'

type Field = {
  readonly name: string
  readonly schema: JsonSchema
  readonly reading: IntentReading
  readonly isRequired: boolean
}

/** The value for a field, not yet checked against the schema. Undefined if the intent has none. */
export function valueFor(
  slot: Slot,
  name: string,
  schema: JsonSchema,
  reading: IntentReading,
  isRequired: boolean,
): unknown {
  if (slot.kind === 'named')
    return toShape(schema, namedValues(isRequired ? slot.of : slot.of.slice(0, 1), name, reading))
  if (slot.kind === 'person_part') return personPart(reading.entities, slot.part)
  return READERS[slot.kind]({ name, schema, reading, isRequired })
}

type OtherKind = Exclude<Slot['kind'], 'named' | 'person_part'>

const READERS: Readonly<Record<OtherKind, (field: Field) => unknown>> = {
  country: ({ name, schema, reading: { entities } }) =>
    toShape(schema, countryText(entities, schema, name)),
  state: ({ schema, reading: { entities } }) => toShape(schema, entities.state ?? []),
  city: ({ schema, reading: { entities } }) =>
    toShape(schema, entities.values.place?.filter((place) => place.length > 2) ?? []),
  place: ({ name, schema, reading: { entities } }) =>
    toShape(schema, entities.values.place ?? countryText(entities, schema, name)),
  site: ({ schema, reading }) => toShape(schema, sitesIn(reading)),
  count: ({ schema, reading: { entities }, isRequired }) =>
    entities.count === null && !isRequired
      ? undefined
      : clamp(entities.count ?? USUAL_COUNT, schema),
  date: ({ schema, reading: { entities } }) =>
    dateText(entities.span === null ? null : dayOf(entities.span), schema),
  from: ({ schema, reading: { entities } }) => dateText(entities.span?.from ?? null, schema),
  to: ({ schema, reading: { entities } }) => dateText(entities.span?.to ?? null, schema),
  window: ({ schema, reading: { entities } }) => windowValue(entities, schema),
  role: ({ schema, reading: { topic } }) => toShape(schema, roleOf(topic)),
  title: ({ schema, reading: { entities, topic } }) =>
    toShape(
      schema,
      entities.values.quoted?.[0] ??
        capitalise(entities.values.company?.[0] ?? entities.values.person?.[0] ?? topic),
    ),
  text: ({ schema, reading: { entities, topic } }) =>
    toShape(schema, entities.values.quoted?.[0] ?? topic),
  // Only a quoted text is a command: the rest of the intent describes it.
  command: ({ schema, reading: { entities } }) =>
    toShape(schema, entities.values.quoted?.[0] ?? ''),
  inbox: ({ schema, reading }) => toShape(schema, emailsAfter(reading, SENDER_CUE)),
  recipient: ({ schema, reading }) => toShape(schema, emailsAfter(reading, RECIPIENT_CUE)),
  subject_line: ({ schema, reading: { intent } }) =>
    toShape(schema, SUBJECT_LINE.exec(intent)?.[1] ?? []),
  message: ({ schema, reading: { intent } }) => toShape(schema, messageIn(intent)),
  flag: ({ name, reading: { intent } }) => (isMentioned(name, intent) ? true : undefined),
  choice: ({ schema, reading: { intent } }) => choiceIn(schema, intent),
  number: ({ name, schema, reading: { intent } }) => numberBefore(name, intent, schema),
  latitude: ({ reading: { entities } }) => coordinate(entities, 0),
  longitude: ({ reading: { entities } }) => coordinate(entities, 1),
  other: () => undefined,
}

const SENDER_CUE = /\b(?:from|in|of|inbox|using|via)(?: (?:my|our|the))?(?: inbox)?\s*$/i
const RECIPIENT_CUE = /(?<!\b(?:from|in|of|inbox|using|via)(?: (?:my|our|the))?(?: inbox)?\s*)$/i
const SUBJECT_LINE =
  /\b(?:about|regarding|concerning|with the subject|subject:?)\s+["“']?([^"”']{2,200}?)["”']?(?= (?:saying|that says|and|from)\b|[.!?]*$)/i

/** Domains that the intent names as the place to search: "on example.com". */
function sitesIn({ entities, intent }: IntentReading): readonly string[] {
  return (entities.values.domain ?? []).filter((domain) =>
    new RegExp(
      String.raw`\b(?:on|from|within|site:?|only) ?(?:the site )?${domain.replaceAll('.', '\\.')}`,
      'i',
    ).test(intent),
  )
}

/** The value of a required count if the intent has none. */
const USUAL_COUNT = 10

function clamp(count: number, { minimum = 1, maximum = count }: JsonSchema): number {
  return Math.min(Math.max(count, minimum), maximum)
}

/** One text or a list, by the type of the field. */
function toShape(schema: JsonSchema, found: string | readonly string[]): unknown {
  const values = (typeof found === 'string' ? [found] : found).filter((value) => value !== '')
  if (values.length === 0) return undefined
  return typeOf(schema) === 'array' ? values.slice(0, schema.maxItems ?? values.length) : values[0]
}

function countryText(
  { country }: Entities,
  {
    description = '',
    pattern,
    items,
  }: JsonSchema & { pattern?: string; items?: JsonSchema & { pattern?: string } },
  name: string,
): string {
  if (country === null) return ''
  const rule = `${/code$/i.test(name) ? 'iso' : ''} ${pattern ?? ''} ${items?.pattern ?? ''} ${description} ${items?.description ?? ''}`
  if (/alpha-?3|three[- ]letter|3[- ]letter|\{3\}/i.test(rule)) return country.alpha3
  return /alpha-?2|two[- ]letter|2[- ]letter|\{2\}|iso/i.test(rule) ? country.alpha2 : country.name
}

function dateText(
  day: string | null,
  { description = '', pattern = '' }: JsonSchema & { pattern?: string },
): string | undefined {
  if (day === null) return undefined
  const compact = day.replaceAll('-', '')
  if (/YYYYMMDDhhmmss/i.test(description) || /\{14\}/.test(pattern)) return `${compact}000000`
  return /YYYYMMDD/.test(description) || /\{8\}/.test(pattern) ? compact : day
}

const WINDOW_SPELLINGS: readonly ((window: 'day' | 'week' | 'month' | 'year') => string)[] = [
  (window) => window,
  (window) => `p${window[0]}`,
  (window) => `qdr:${window[0]}`,
  (window) => `1${window[0]}`,
]

function windowValue({ span }: Entities, schema: JsonSchema & { pattern?: string }): unknown {
  const window = span?.window
  if (window === null || window === undefined) return undefined
  if (typeOf(schema) === 'integer') return { day: 1, week: 7, month: 31, year: 365 }[window]
  const spellings = WINDOW_SPELLINGS.map((spell) => spell(window))
  const choices = choicesOf(schema)
  if (choices !== undefined) return spellings.find((spelling) => choices.includes(spelling))
  if (schema.pattern !== undefined)
    return spellings.find((spelling) => new RegExp(schema.pattern ?? '', 'u').test(spelling))
  return spellings.find((spelling) =>
    new RegExp(String.raw`\b${spelling}\b`).test(schema.description ?? ''),
  )
}

function capitalise(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

const FILLER = new Set([
  'include',
  'with',
  'is',
  'has',
  'only',
  'get',
  'return',
  'use',
  'enable',
  'show',
  'js',
  'text',
])

/** Whether the intent has every significant word of a name: "with their phone" has those of "include_phone". */
function isMentioned(name: string, intent: string): boolean {
  const words = name
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[_-]/)
    .filter((word) => !FILLER.has(word))
  const spoken = new Set((intent.toLowerCase().match(/[\p{L}\d]+/gu) ?? []).map(stem))
  return words.length > 0 && words.every((word) => spoken.has(stem(word)))
}

function choiceIn(schema: JsonSchema, intent: string): unknown {
  const text = ` ${(intent.toLowerCase().match(/[\p{L}\d:]+/gu) ?? []).map(stem).join(' ')} `
  const chosen = (choicesOf(schema) ?? []).filter(
    (choice) =>
      choice.length > 1 &&
      text.includes(` ${(choice.toLowerCase().match(/[\p{L}\d:]+/gu) ?? []).map(stem).join(' ')} `),
  )
  return chosen.length === 0 ? undefined : typeOf(schema) === 'array' ? chosen : chosen[0]
}

/** The number before or after a field's name: "2 bedrooms" for `bedrooms`. */
function numberBefore(name: string, intent: string, schema: JsonSchema): number | undefined {
  const words = name
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[_-]/)
    .filter((part) => part.length > 3)
    .map((part) => part.replace(/s$/, ''))
  const written = words
    .map((word) =>
      new RegExp(String.raw`\b(\d{1,6})[ -]?${word}s?\b|\b${word}s?[ :=](\d{1,6})\b`, 'i').exec(
        intent,
      ),
    )
    .find((found) => found !== null)
  const value = Number(written?.[1] ?? written?.[2] ?? Number.NaN)
  return Number.isNaN(value) ||
    value < (schema.minimum ?? value) ||
    value > (schema.maximum ?? value)
    ? undefined
    : value
}

function coordinate({ values }: Entities, at: 0 | 1): number | undefined {
  const number = Number(values.coordinates?.[0]?.split(',')[at] ?? Number.NaN)
  return Number.isNaN(number) ? undefined : number
}
