/** Reads the value of an intent for a slot. `fill.ts` decides whether to use it. */
import type { JsonSchema } from '../../catalog/published/json-schema.ts'
import { stem } from '../discover/stem.ts'
import { dayOf } from './dates.ts'
import type { Country } from '../discover/places.ts'
import type { Entities } from './entities.ts'
import type { IntentReading } from './intent-reading.ts'
import { emailsAfter, idsFor, mediaUrls, messageIn, namedValues, personPart } from './named-values.ts'
import { ecosystemIn, packageIn, VERSION } from './packages.ts'
import { COINS } from './entity-rules.ts'
import { languageIn } from './languages.ts'
import { vehicleIn } from './vehicles.ts'
import { explicitValue } from './explicit.ts'
import { numberFor, rangeFor } from './numbers.ts'
import { roleOf } from './people-roles.ts'
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
  const explicit = explicitValue(name, schema, reading.intent)
  if (explicit !== undefined) return explicit
  if (slot.kind === 'named')
    return toShape(schema, namedValues(isRequired ? slot.of : slot.of.slice(0, slot.of[0] === 'quoted' ? 2 : 1), name, reading))
  if (slot.kind === 'person_part') return personPart(reading.entities, slot.part)
  return READERS[slot.kind]({ name, schema, reading, isRequired })
}

type OtherKind = Exclude<Slot['kind'], 'named' | 'person_part'>

const READERS: Readonly<Record<OtherKind, (field: Field) => unknown>> = {
  country: ({ name, schema, reading: { entities } }) =>
    toShape(schema, countryTexts(entities, schema, name)),
  state: ({ schema, reading: { entities } }) => toShape(schema, entities.state ?? []),
  city: ({ schema, reading: { entities } }) => toShape(schema, citiesIn(entities)),
  place: ({ name, schema, reading: { entities } }) =>
    toShape(schema, entities.values.place ?? countryTexts(entities, schema, name)),
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
  role: ({ schema, reading: { topic, intent } }) => toShape(schema, roleOf(topic, intent)),
  title: ({ schema, reading: { entities, topic } }) =>
    toShape(
      schema,
      entities.values.quoted?.[0] ??
        capitalise(entities.values.company?.[0] ?? entities.values.person?.[0] ?? topic),
    ),
  text: ({ schema, reading }) => toShape(schema, textIn(reading)),
  prompt: ({ schema, reading }) => toShape(schema, promptIn(reading)),
  speech: ({ schema, reading: { entities } }) =>
    toShape(schema, entities.values.quoted?.[0] ?? ''),
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
    /^(?:sort|order)/i.test(name) && !/\b(?:sort|order|rank)(?:ed)? by\b|\b(?:newest|latest|oldest|top|hot|relevance)\b/i.test(reading.intent)
      ? undefined
      : choiceIn(schema, withoutAddresses(reading)),
  number: ({ name, schema, reading }) =>
    numberFor(name, schema, reading) ?? rangeFor(name, schema, reading),
  latitude: ({ reading: { entities } }) => coordinate(entities, 0),
  longitude: ({ reading: { entities } }) => coordinate(entities, 1),
  other: ({ name, schema, reading, isRequired }) =>
    isRequired && schema.type === 'string' && !KEY.test(name)
      ? subjectIn(reading) || undefined
      : undefined,
}

/** A command before the id of its sandbox: "run ls -la in sandbox sb-1". */
const COMMAND = /^(?:please )?(?:run|execute) (.{1,200}?) (?:in|on|inside) (?:the |my )?sandbox\b/i
const TAGGED = /\b(?:tagged|tags?|labelled|labeled)(?: as| with|:)? ["“']?([\p{L}\d_-]{2,40})/iu

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

/** All countries for a list, otherwise the first. */
function countryTexts(
  { countries }: Entities,
  schema: JsonSchema,
  name: string,
): readonly string[] {
  return countries.map((country) => countryText(country, schema, name))
}

function countryText(
  country: Country,
  {
    description = '',
    enum: values,
    pattern,
    items,
  }: JsonSchema & { pattern?: string; items?: JsonSchema & { pattern?: string } },
  name: string,
): string {
  if (name === 'geo') return country.alpha2
  const choices = choicesOf({ ...(values === undefined ? {} : { enum: values }), ...(items === undefined ? {} : { items }) })
  if (choices !== undefined)
    return (
      [country.alpha2, country.alpha2 === 'GB' ? 'UK' : '', country.alpha3, country.name].find((one) =>
        choices.includes(one),
      ) ?? ''
    )
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
  (window) => (window === 'day' ? '24h' : window),
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
  const text = ` ${toStems(intent)} `
  const chosen = (choicesOf(schema) ?? []).filter(
    (choice) => choice.length > 1 && text.includes(` ${toStems(choice)} `),
  )
  return chosen.length === 0 ? undefined : typeOf(schema) === 'array' ? chosen : chosen[0]
}

const ADDRESS_KINDS = new Set(['url', 'domain', 'email', 'linkedin'])

/** The intent without URLs and domains, whose parts are not words: "co.uk". */
function withoutAddresses({ intent, entities }: IntentReading): string {
  return entities.found
    .filter(({ kind }) => ADDRESS_KINDS.has(kind))
    .reduce((text, { text: address }) => text.replace(address, ' '), intent)
}

/** Stems, with letters and digits apart: "PHASE3" and "phase 3" are the same. */
function toStems(text: string): string {
  const words = text
    .toLowerCase()
    .replaceAll(/(\p{L}{2,})(\d)/gu, '$1 $2')
    .match(/[\p{L}\d:]+/gu)
  return (words ?? []).map(stem).join(' ')
}

/** Names of coins in lower case, the ids of price services. */
function coinsIn({ values }: Entities): string {
  return Object.entries(COINS)
    .filter(([, ticker]) => values.ticker?.includes(ticker) === true)
    .map(([name]) => name)
    .join(',')
}

const CHAIN =
  /\b(?:ethereum|base|polygon|arbitrum|optimism|solana|bsc|avalanche|bitcoin|tron|ton|sui|aptos|gnosis|linea|zksync|blast|scroll)\b/i
/** Fields that take a key of the vendor, never words of an intent. */
const KEY = /(?:key|id|token|slug|cursor|hash|urn|code|type|name|model|agent|url)s?$/i
const EXCHANGE =
  /\b(?:binance|coinbase|kraken|okx|bybit|bitget|kucoin|bitfinex|gate\.?io|htx|mexc|hyperliquid|deribit|upbit|bitstamp)\b/i
const MODEL_NAME =
  /\b(?:[a-z][\w-]{1,30}\/[a-z][\w.:-]{2,60}|(?:gpt|claude|gemini|llama|mistral|deepseek|qwen|grok|o\d)-[\w.-]{1,40})(?![\w/])/
const PAIR = /\b([A-Z\d]{2,10})[/-](USDT|USDC|USD|EUR|BTC|ETH|BUSD|FDUSD|DAI)\b/

/** "BTC/USDT", or the pair of a coin with USDT. */
function pairIn(intent: string, { values }: Entities): string {
  const [pair] = PAIR.exec(intent) ?? []
  const coin = values.ticker?.[0]
  return pair?.replace('-', '/') ?? (coin === undefined ? '' : `${coin}/USDT`)
}

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
