/** Reads the value of an intent for a slot. `fill.ts` decides whether to use it. */
import type { JsonSchema } from '../../../catalog/published/json-schema.ts'
import { choiceIn, isMentioned, windowValue } from './choices.ts'
import { countryTexts } from './country-texts.ts'
import { CHAIN, coinsIn, EXCHANGE, MODEL_NAME, pairIn } from '../reading/market-names.ts'
import { dayOf } from '../reading/dates.ts'
import type { Entities } from '../reading/entities.ts'
import type { IntentReading } from '../reading/intent-reading.ts'
import {
  emailsAfter,
  idsFor,
  mediaUrls,
  messageIn,
  namedValues,
  personPart,
} from './named-values.ts'
import { withMeanings } from '../reading/foreign-words.ts'
import { ecosystemIn, packageIn, VERSION } from '../reading/packages.ts'
import { isEnglish, languageIn } from '../reading/languages.ts'
import { vehicleIn } from '../reading/vehicles.ts'
import { explicitValue } from './explicit.ts'
import { indicatorIn } from './indicators.ts'
import { numberFor, rangeFor } from './numbers.ts'
import { foreignRoleOf, roleOf } from '../reading/people-roles.ts'
import { currencyFor, messagesIn, promptIn, SITES, subjectIn, textIn } from './subjects.ts'
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
  // The buyer and the company that it bought have fields of their own.
  if (BUYERS.has(name) && (name === 'acquiring_company') !== BOUGHT_BY.test(reading.intent))
    if (name === 'acquiring_company' || BOUGHT_BY.test(reading.intent)) return undefined
  const explicit = explicitValue(name, schema, reading.intent)
  if (explicit !== undefined) return explicit
  if (slot.kind === 'named')
    return toShape(
      schema,
      namedValues(
        isRequired ? slot.of : slot.of.slice(0, slot.of[0] === 'quoted' ? 2 : 1),
        name,
        reading,
      ),
    )
  if (slot.kind === 'person_part') return personPart(reading.entities, slot.part)
  return READERS[slot.kind]({ name, schema, reading, isRequired })
}

type OtherKind = Exclude<Slot['kind'], 'named' | 'person_part'>

const READERS: Readonly<Record<OtherKind, (field: Field) => unknown>> = {
  country: ({ name, schema, reading: { entities } }) =>
    toShape(schema, countryTexts(entities, schema, name)),
  country_code: ({ schema, reading: { entities } }) =>
    toShape(
      schema,
      entities.countries.map(({ alpha2 }) => alpha2),
    ),
  state: ({ schema, reading: { entities } }) => toShape(schema, entities.state ?? []),
  city: ({ schema, reading: { entities } }) => toShape(schema, citiesIn(entities)),
  place: ({ name, schema, reading: { entities } }) =>
    toShape(schema, entities.values.place ?? countryTexts(entities, schema, name)),
  site: ({ schema, reading }) => toShape(schema, sitesIn(reading)),
  count: ({ schema, reading: { entities }, isRequired }) =>
    entities.count === null && !isRequired
      ? undefined
      : clamp(entities.count ?? USUAL_COUNT, schema),
  date: ({ name, schema, reading: { entities, intent } }) =>
    dateText(
      entities.span !== null
        ? dayOf(entities.span)
        : name === 'timestamp' && EARLIEST.test(intent)
          ? FIRST_CAPTURES
          : null,
      schema,
    ),
  from: ({ schema, reading: { entities } }) => dateText(entities.span?.from ?? null, schema),
  to: ({ schema, reading: { entities } }) => dateText(entities.span?.to ?? null, schema),
  window: ({ schema, reading: { entities } }) => windowValue(entities, schema),
  role: ({ schema, reading: { topic, intent, entities } }) =>
    toShape(
      schema,
      roleOf(topic, intent) ||
        (isEnglish(intent) ? '' : foreignRoleOf(topic, entities.values.place?.[0])),
    ),
  title: ({ schema, reading: { entities, topic } }) =>
    toShape(
      schema,
      entities.values.quoted?.[0] ??
        capitalise(entities.values.company?.[0] ?? entities.values.person?.[0] ?? topic),
    ),
  text: ({ name, schema, reading }) =>
    toShape(schema, name === 'searchTerms' ? postsOf(reading) : textIn(reading)),
  prompt: ({ schema, reading }) => toShape(schema, promptIn(reading)),
  speech: ({ schema, reading: { entities } }) => toShape(schema, entities.values.quoted?.[0] ?? ''),
  chat: ({ reading }) => messagesIn(reading),
  currency: ({ name, schema, reading: { intent } }) => toShape(schema, currencyFor(name, intent)),
  make: ({ schema, reading: { intent } }) => toShape(schema, vehicleIn(intent)?.make ?? ''),
  model: ({ schema, reading: { intent } }) => toShape(schema, vehicleIn(intent)?.model ?? ''),
  year: ({ schema, reading: { intent } }) => yearIn(intent, schema),
  language: ({ schema, reading: { intent } }) => languageFor(schema, intent),
  pair: ({ schema, reading: { intent, entities } }) => toShape(schema, pairIn(intent, entities)),
  exchange: ({ schema, reading: { intent } }) =>
    toShape(schema, EXCHANGE.exec(intent)?.[0].toLowerCase() ?? ''),
  model_name: ({ schema, reading: { intent } }) =>
    toShape(schema, MODEL_NAME.exec(intent)?.[0] ?? ''),
  chain: ({ schema, reading: { intent } }) =>
    toShape(schema, CHAIN.exec(intent)?.[0].toLowerCase() ?? ''),
  indicator: ({ schema, reading: { intent } }) => toShape(schema, indicatorIn(intent)),
  license: ({ schema, reading: { intent } }) => toShape(schema, licensesIn(intent)),
  coin: ({ schema, reading: { entities } }) => toShape(schema, coinsIn(entities)),
  subject: ({ schema, reading, isRequired }) =>
    isRequired ? toShape(schema, subjectIn(reading)) : undefined,
  // Only a quoted text is a command: the rest of the intent describes it.
  command: ({ schema, reading: { entities, intent } }) =>
    toShape(
      schema,
      entities.values.quoted?.[0] ??
        (entities.values.id === undefined ? '' : (COMMAND.exec(intent)?.[1] ?? '')),
    ),
  inbox: ({ schema, reading }) =>
    toShape(schema, idsFor('inbox', reading) ?? emailsAfter(reading, SENDER_CUE)),
  tags: ({ schema, reading: { intent } }) => toShape(schema, TAGGED.exec(intent)?.[1] ?? ''),
  version: ({ schema, reading: { intent } }) => toShape(schema, VERSION.exec(intent)?.[0] ?? ''),
  ecosystem: ({ schema, reading: { intent } }) => toShape(schema, ecosystemIn(intent)),
  package: ({ schema, reading: { intent } }) => toShape(schema, packageIn(intent)),
  commit: ({ schema, reading: { intent } }) =>
    toShape(schema, /\b[0-9a-f]{7,40}\b/.exec(intent)?.[0] ?? ''),
  media: ({ name, schema, reading }) => toShape(schema, mediaUrls(name, reading)),
  recipient: ({ schema, reading }) => toShape(schema, emailsAfter(reading, RECIPIENT_CUE)),
  subject_line: ({ schema, reading: { intent } }) =>
    toShape(schema, SUBJECT_LINE.exec(intent)?.[1] ?? []),
  message: ({ schema, reading: { intent } }) => toShape(schema, messageIn(intent)),
  flag: ({ name, reading: { intent } }) => (isMentioned(name, intent) ? true : undefined),
  choice: ({ name, schema, reading }) =>
    /^(?:sort|order)/i.test(name) &&
    !/\b(?:sort|order|rank)(?:ed)? by\b|\b(?:newest|latest|oldest|top|hot|relevance)\b/i.test(
      reading.intent,
    )
      ? undefined
      : choiceIn(
          schema,
          withMeanings(withoutAddresses(reading).replaceAll(SCREENSHOT, 'screenshot')),
          reading.actionName,
        ),
  number: ({ name, schema, reading }) =>
    numberFor(name, schema, reading) ?? rangeFor(name, schema, reading),
  latitude: ({ reading: { entities } }) => coordinate(entities, 0),
  longitude: ({ reading: { entities } }) => coordinate(entities, 1),
  other: ({ name, schema, reading, isRequired }) =>
    isRequired && schema.type === 'string' && !KEY.test(name)
      ? subjectIn(reading) || undefined
      : undefined,
}

/** Posts of an account on X, in the syntax of its search. */
function postsOf(reading: IntentReading): string {
  const [handle] = reading.entities.values.handle ?? []
  return handle === undefined ? textIn(reading) : `from:${handle}`
}

const BUYERS = new Set(['acquiring_company', 'company_name'])
const BOUGHT_BY =
  /\b(?:bought|acquired|purchased|taken over|swallowed|acquisitions?|takeovers?|purchases?|deals) (?:\w+ )?(?:by|of)\b|\b(?:did|has|have) \p{Lu}[\w.& -]{1,30} (?:buy|bought|acquired?|purchased?|take over|taken over)/iu
const EARLIEST =
  /\b(?:earliest|oldest|first|very first)\b.{0,30}\b(?:archived?|captures?|snapshots?|version|copy)|(?:älteste|erste|primera|primeira|première|prima|pierwsz|перв|самая ранняя|ilk|أقدم|सबसे पुरान|最早|最古|가장 오래된|tertua)/iu
/** The Wayback Machine has no captures before this day. */
const FIRST_CAPTURES = '1996-01-01'

/** A command before the id of its sandbox: "run ls -la in sandbox sb-1". */
const COMMAND = /^(?:please )?(?:run|execute) (.{1,200}?) (?:in|on|inside) (?:the |my )?sandbox\b/i
const TAGGED = /\b(?:tagged|tags?|labelled|labeled)(?: as| with|:)? ["“']?([\p{L}\d_-]{2,40})/iu

const LICENSE =
  /(?<![\w-])(?:(?:A|L)?GPL|Apache|MIT|BSD|MPL|EPL|ISC|CC0|CC-BY(?:-SA)?|Unlicense|EUPL|BSL)(?:[- ]?v?\d(?:\.\d)?(?:-(?:Clause|only|or-later))?)?(?![\w-])/g

function licensesIn(intent: string): readonly string[] {
  return [...intent.matchAll(LICENSE)].map(([name]) => name.replace(' ', '-'))
}

/** Places that are not states or countries. */
function citiesIn({ values, stateText, countryText }: Entities): readonly string[] {
  return (values.place ?? []).filter(
    (place) => place.length > 2 && place !== stateText && place !== countryText,
  )
}

const SENDER_CUE = /\b(?:from|in|of|inbox|using|via)(?: (?:my|our|the))?(?: inbox)?\s*$/i
const RECIPIENT_CUE = /(?<!\b(?:from|in|of|inbox|using|via)(?: (?:my|our|the))?(?: inbox)?\s*)$/i
const SUBJECT_LINE =
  /\b(?:about|regarding|concerning|with the subject|subject:?)\s+["“']?([^"”']{2,200}?)["”']?(?= (?:saying|that says|and|from)\b|[.!?]*$)/i

/** Domains that the intent names as the place to search: "on example.com". */
function sitesIn({ entities, intent }: IntentReading): readonly string[] {
  const sites = SITES.exec(intent)?.[0] ?? ''
  return (entities.values.domain ?? []).filter((domain) => sites.toLowerCase().includes(domain))
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

function dateText(
  day: string | null,
  { description = '', pattern = '' }: JsonSchema & { pattern?: string },
): string | undefined {
  if (day === null) return undefined
  const compact = day.replaceAll('-', '')
  if (/YYYYMMDDhhmmss/i.test(description) || /\{14\}/.test(pattern)) return `${compact}000000`
  return /YYYYMMDD/.test(description) || /\{8\}/.test(pattern) ? compact : day
}

function capitalise(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

const ADDRESS_KINDS = new Set(['url', 'domain', 'email', 'linkedin'])

/** The intent without URLs and domains, whose parts are not words: "co.uk". */
function withoutAddresses({ intent, entities }: IntentReading): string {
  return entities.found
    .filter(({ kind }) => ADDRESS_KINDS.has(kind))
    .reduce((text, { text: address }) => text.replace(address, ' '), intent)
}

/** Frequent typing errors of a format. */
const SCREENSHOT = /\bs?c?re+n[ -]?s?h?[ou]t\b/gi

/** Fields that take a key of the vendor, never words of an intent. */
const KEY = /(?:key|id|token|slug|cursor|hash|urn|code|type|name|model|agent|url)s?$/i

function yearIn(intent: string, schema: JsonSchema): unknown {
  const year = /\b(19[5-9]\d|20[0-4]\d)\b/.exec(intent)?.[1]
  if (year === undefined) return undefined
  return typeOf(schema) === 'string' ? year : Number(year)
}

function languageFor(schema: JsonSchema, intent: string): string | undefined {
  const language = languageIn(intent)
  const choices = choicesOf(schema)
  return language === '' || (choices !== undefined && !choices.includes(language))
    ? undefined
    : language
}

function coordinate({ values }: Entities, at: 0 | 1): number | undefined {
  const number = Number(values.coordinates?.[0]?.split(',')[at] ?? Number.NaN)
  return Number.isNaN(number) ? undefined : number
}
