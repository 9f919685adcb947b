/** What an intent has for a slot. Pure reading: nothing here decides whether the value is wanted. */
import type { JsonSchema } from '../../catalog/published/json-schema.ts'
import { stem } from '../discover/stem.ts'
import { dayOf } from './dates.ts'
import type { Entities, EntityKind } from './entities.ts'
import { choicesOf, typeOf, type Slot } from './slots.ts'

export type IntentReading = {
  /** Everything that was said in this turn. */
  readonly intent: string
  /** What a search would be about. */
  readonly topic: string
  readonly entities: Entities
}

/** A value for a field, before it is checked against the schema; undefined when the intent has none. */
export function valueFor(
  slot: Slot,
  name: string,
  schema: JsonSchema,
  reading: IntentReading,
  isRequired: boolean,
): unknown {
  const { entities, intent, topic } = reading
  switch (slot.kind) {
    case 'named':
      return shaped(schema, namedValues(isRequired ? slot.of : slot.of.slice(0, 1), name, reading))
    case 'person_part':
      return personPart(entities, slot.part)
    case 'country':
      return shaped(schema, countryText(entities, schema, name))
    case 'state':
      return shaped(schema, entities.state ?? [])
    case 'city':
      return shaped(schema, entities.values.place?.filter((place) => place.length > 2) ?? [])
    case 'place':
      return shaped(schema, entities.values.place ?? countryText(entities, schema, name))
    case 'site':
      return shaped(
        schema,
        (entities.values.domain ?? []).filter((domain) =>
          new RegExp(
            String.raw`\b(?:on|from|within|site:?|only) ?(?:the site )?${domain.replaceAll('.', '\\.')}`,
            'i',
          ).test(intent),
        ),
      )
    case 'count':
      return entities.count === null && !isRequired
        ? undefined
        : clamped(entities.count ?? USUAL_COUNT, schema)
    case 'date':
      return dateText(entities.span === null ? null : dayOf(entities.span), schema)
    case 'from':
      return dateText(entities.span?.from ?? null, schema)
    case 'to':
      return dateText(entities.span?.to ?? null, schema)
    case 'window':
      return windowValue(entities, schema)
    case 'role':
      return shaped(schema, roleOf(topic))
    case 'title':
      return shaped(
        schema,
        entities.values.quoted?.[0] ??
          capitalised(entities.values.company?.[0] ?? entities.values.person?.[0] ?? topic),
      )
    case 'text':
      return shaped(schema, entities.values.quoted?.[0] ?? topic)
    // What is run must be given word by word: talk about it is no command.
    case 'command':
      return shaped(schema, entities.values.quoted?.[0] ?? '')
    case 'inbox':
      return shaped(
        schema,
        emailsBehind(
          reading,
          /\b(?:from|in|of|inbox|using|via)(?: (?:my|our|the))?(?: inbox)?\s*$/i,
        ),
      )
    case 'recipient':
      return shaped(
        schema,
        emailsBehind(
          reading,
          /(?<!\b(?:from|in|of|inbox|using|via)(?: (?:my|our|the))?(?: inbox)?\s*)$/i,
        ),
      )
    case 'subject_line':
      return shaped(
        schema,
        /\b(?:about|regarding|concerning|with the subject|subject:?)\s+["“']?([^"”']{2,200}?)["”']?(?= (?:saying|that says|and|from)\b|[.!?]*$)/i.exec(
          intent,
        )?.[1] ?? [],
      )
    case 'message':
      return shaped(schema, messageIn(intent))
    case 'flag':
      return isMentioned(name, intent) ? true : undefined
    case 'choice':
      return choiceIn(schema, intent)
    case 'number':
      return numberBefore(name, intent, schema)
    case 'latitude':
      return coordinate(entities, 0)
    case 'longitude':
      return coordinate(entities, 1)
    case 'other':
      return undefined
  }
}

/** What is asked for where the action wants a number and the intent has none. */
const USUAL_COUNT = 10

function clamped(count: number, { minimum = 1, maximum = count }: JsonSchema): number {
  return Math.min(Math.max(count, minimum), maximum)
}

/** In the form that the field takes: one text, or a list of them. */
function shaped(schema: JsonSchema, found: string | readonly string[]): unknown {
  const values = (typeof found === 'string' ? [found] : found).filter((value) => value !== '')
  if (values.length === 0) return undefined
  return typeOf(schema) === 'array' ? values.slice(0, schema.maxItems ?? values.length) : values[0]
}

function namedValues(
  kinds: readonly EntityKind[],
  name: string,
  { entities, intent }: IntentReading,
): readonly string[] {
  const { values } = entities
  // What is made is called so.
  if (values.label !== undefined && /^(?:user_?)?name$/i.test(name)) return values.label
  if (kinds[0] === 'url')
    return [
      ...(values.url ?? []),
      ...(values.domain ?? []).map((domain) => `https://${domain}/`),
      ...(kinds.includes('linkedin') ? (values.linkedin ?? []) : []),
    ]
  if (kinds[0] === 'domain')
    return (
      values.domain ?? [
        ...(values.url ?? []).map(hostOf),
        ...(values.email ?? []).map((email) => email.split('@')[1] ?? ''),
      ]
    ).filter((host) => host !== '')
  if (kinds[0] === 'id') return values.id ?? values.cve ?? idsIn(values.url?.[0] ?? '', intent)
  // The first airport is where one leaves, the second where one arrives.
  if (kinds[0] === 'airport') return (values.airport ?? []).slice(name.startsWith('arr') ? 1 : 0)
  const kind = kinds.find((one) => values[one] !== undefined)
  // A name that stands for a company only because nothing said otherwise may be the person who is asked for.
  return kind === undefined
    ? []
    : (values[kind] ?? []).map((value) =>
        name === 'ticker' || name === 'symbol' ? value.toUpperCase() : value,
      )
}

/** The addresses before which the intent reads so. */
function emailsBehind({ entities, intent }: IntentReading, before: RegExp): readonly string[] {
  return (entities.values.email ?? []).filter((email) =>
    before.test(intent.slice(0, intent.indexOf(email))),
  )
}

const MESSAGE_CUE =
  /\b(?:saying|that says|which says|with the text|telling (?:him|her|them)(?: that)?)\s+/gi
const LONGEST_MESSAGE = 1_000

/** All that stands behind the words that announce it. One pattern for both would try every end of the text for each of these words. */
function messageIn(intent: string): string {
  const messages = intent.matchAll(MESSAGE_CUE).map(({ 0: cue, index }) =>
    intent
      .slice(index + cue.length)
      .trim()
      .replace(/^["“']/, '')
      .replace(/["”']$/, ''),
  )
  return messages.find((message) => message.length >= 2 && message.length <= LONGEST_MESSAGE) ?? ''
}

function hostOf(url: string): string {
  return URL.parse(url)?.hostname.replace(/^www\./, '') ?? ''
}

/** Ids of posts and videos stand in their addresses. */
function idsIn(url: string, intent: string): string[] {
  const inUrl =
    /[?&]v=([\w-]{6,20})/.exec(url)?.[1] ??
    /youtu\.be\/([\w-]{6,20})/.exec(url)?.[1] ??
    /\/comments\/(\w{4,12})/.exec(url)?.[1] ??
    /\/(?:p|reel)\/([\w-]{5,20})/.exec(url)?.[1] ??
    /(\d{6,20})(?!.*\d{6,20})/.exec(url)?.[1]
  const found =
    inUrl ??
    /\b(?:id|number|no\.?|#) ?(\d{2,20})\b/i.exec(intent)?.[1] ??
    /\b(\d{8,20})\b/.exec(intent)?.[1]
  return found === undefined ? [] : [found]
}

function personPart({ values }: Entities, part: 'first' | 'last'): string | undefined {
  const words = values.person?.[0]?.split(' ') ?? []
  return words.length < 2 ? undefined : part === 'first' ? words[0] : words.slice(1).join(' ')
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

const ROLE =
  /\b(?:manager|engineer|director|founder|c[etfomi]o|chief|head|vp|president|officer|developer|designer|recruiter|marketer|analyst|scientist|partner|nurse|doctor|physician|dentist|teacher|lawyer|attorney|accountant|consultant|buyer|owner|architect|administrator|executive|representative|specialist|coordinator|programmer|researcher|professor|editor|journalist|writer|investor|realtor|agent|salesperson|controller|lead)s?\b/i

/** Whether a topic is a kind of people: what stands before anything else is said of them ends in a word for a job. */
export function isAboutPeople(topic: string): boolean {
  const head = topic.split(/,| (?:in|at|from|of|near|who|that|with|for)\b/)[0] ?? ''
  const isKindOfPeople = head.includes(' ') || (head.endsWith('s') && head !== topic)
  return (
    new RegExp(`${ROLE.source}$`, 'i').test(head) &&
    isKindOfPeople &&
    !/\b(?:hiring|compan|jobs?\b|vacanc|salar|review)/i.test(head)
  )
}

/** "marketing managers in Berlin" looks for the role "marketing manager"; without a word for a job there is none. */
function roleOf(topic: string): string {
  if (!ROLE.test(topic)) return ''
  const asRole = /^(?:who )?works? .{0,200}\bas (?:an? |the |their )?(.{2,60})$/i.exec(topic)?.[1]
  if (asRole !== undefined) return asRole
  const role =
    topic
      .split(/ (?:in|at|from|of|near|based|who|that|with|working|for|,)\b/)[0]
      ?.replace(/^(?:some|all|the|any|people who are|people|employees|contacts) ?/i, '') ?? ''
  return role.replace(/([^s])s$/, '$1').trim()
}

function capitalised(text: string): string {
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

/** Whether the intent has every telling word of a name: "include_phone" is asked for by "with their phone". */
function isMentioned(name: string, intent: string): boolean {
  const words = name
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[_-]/)
    .filter((word) => !FILLER.has(word))
  const said = new Set((intent.toLowerCase().match(/[\p{L}\d]+/gu) ?? []).map(stem))
  return words.length > 0 && words.every((word) => said.has(stem(word)))
}

function choiceIn(schema: JsonSchema, intent: string): unknown {
  const said = ` ${(intent.toLowerCase().match(/[\p{L}\d:]+/gu) ?? []).map(stem).join(' ')} `
  const chosen = (choicesOf(schema) ?? []).filter(
    (choice) =>
      choice.length > 1 &&
      said.includes(` ${(choice.toLowerCase().match(/[\p{L}\d:]+/gu) ?? []).map(stem).join(' ')} `),
  )
  return chosen.length === 0 ? undefined : typeOf(schema) === 'array' ? chosen : chosen[0]
}

/** "2 bedrooms" for `bedrooms`. */
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
