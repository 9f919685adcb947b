/** Factors around 1 that scale a candidate's score by how well its call fits the intent. */
import type { Entry } from '../../../catalog/index.ts'
import type { JsonSchema } from '../../../catalog/published/json-schema.ts'
import type { Data } from '../../../catalog/vocabulary/outcome.ts'
import { tokenize } from '../../discover/tokenize.ts'
import { COINS } from '../reading/entity-rules.ts'
import type { EntityKind } from '../reading/entity-kind.ts'
import { toMissing, type Missing } from '../filling/fill.ts'
import { findCountry } from '../../discover/places.ts'
import { platformFit } from '../platforms.ts'
import type { SuggestedCall, Target } from '../suggested-call.ts'
import { GENERIC } from '../../discover/topic.ts'
import type { IntentReading } from '../reading/intent-reading.ts'

/** Entities that an intent names in order to use them. An action without a field for one fits worse. */
export const IDENTIFYING_KINDS: readonly EntityKind[] = [
  'url',
  'linkedin',
  'email',
  'domain',
  'doi',
  'trial',
  'wallet',
  'iban',
  'vat',
  'ein',
  'cik',
  'vin',
  'cve',
  'advisory',
  'isbn',
  'citation',
  'address',
  'phone',
  'handle',
  'hashtag',
  'ticker',
  'flight',
  'airport',
  'docket',
  'accession',
]
const UNUSED_FACTOR = 0.6
const PARTLY_USED_FACTOR = 0.8
const USED_FACTOR = 1.25
/** For a call that needs an answer first. */
const MISSING_FACTOR = 0.65
const MISSING_ID_FACTOR = 0.4
const NAMED_BONUS = 0.2

type Draft = {
  readonly params: Data
  readonly call: SuggestedCall | null
  readonly missing: readonly Missing[]
}

export function scoreFit(
  entry: Entry,
  schema: JsonSchema,
  target: Target,
  reading: IntentReading,
  { params, call, missing }: Draft,
): number {
  const names = `${target.service} ${target.action} ${target.endpoint ?? ''}`
  return (
    usageFit(reading, params) *
    typedFit(schema, params) *
    missingFit(entry, missing, reading.intent) *
    convenienceFit(entry, schema, call) *
    creationFit(entry, reading.intent) *
    nameFit(entry, reading.intent) *
    subjectFit(entry, reading.intent) *
    countryFit(reading, target) *
    platformFit(reading.intent, names)
  )
}

/** Lowers calls with missing fields, most if an id is missing: then a search fits better. */
function missingFit({ action }: Entry, missing: readonly Missing[], intent: string): number {
  if (missing.length === 0) return 1
  if (action.exampleNeeds.length > 0 && FOLLOW_UP.test(intent)) return MISSING_FACTOR
  return missing.some(({ slot }) => slot.kind === 'named' && slot.of[0] === 'id')
    ? MISSING_ID_FACTOR
    : MISSING_FACTOR
}

/** Prefers cheap calls, direct answers to jobs and actions to endpoints. Lowers calls that ignore the intent. */
function convenienceFit(
  { action }: Entry,
  { properties = {} }: JsonSchema,
  call: SuggestedCall | null,
): number {
  const price = 1 - Math.min(0.12, 0.002 * (call?.max_cost_cents ?? 0))
  const isBlind =
    call !== null &&
    call.max_cost_cents > 0 &&
    Object.keys(call.params).every((name) => properties[name]?.const !== undefined)
  return (
    price *
    (action.kind === 'endpoint' ? 0.9 : 1) *
    (action.kind === 'job' || /^(?:start|launch)\b/i.test(action.summary) ? 0.85 : 1) *
    (isBlind ? 0.75 : 1)
  )
}

/** Words for something started earlier, such as a sandbox to stop. */
const FOLLOW_UP =
  /\b(?:stop|terminat|kill|end|clos|releas|extend|prolong|renew|cancel|delet|remov|status|result|progress|repl(?:y|ies)|how far)/i
/** Words for creating something. An action that buys something permanent needs one. */
const CREATION = /\b(?:creat|mak|open|set|new|buy|order|register|provision|need|want|give)/i
const NOT_CREATED_FACTOR = 0.4

function creationFit({ action }: Entry, intent: string): number {
  const isFollowUp =
    action.kind === 'call' && action.ownership?.createdId !== undefined && FOLLOW_UP.test(intent)
  return (isFollowUp || (action.kind === 'call' && action.ownership?.isPermanent === true)) &&
    !CREATION.test(intent)
    ? NOT_CREATED_FACTOR
    : 1
}

/** Kinds of fields for one meaning. A field of free text takes the same words with less precision. */
const TYPED = new Set([
  'named',
  'person_part',
  'country',
  'country_code',
  'state',
  'city',
  'place',
  'role',
  'date',
  'from',
  'to',
  'window',
  'choice',
  'number',
  'make',
  'model',
  'year',
  'version',
  'package',
  'coin',
  'currency',
])
const TYPED_BONUS = 0.06
const MOST_TYPED = 4

/** Prefers calls that put the values of the intent into fields of their own. */
function typedFit(schema: JsonSchema, params: Data): number {
  return 1 + TYPED_BONUS * Math.min(typedFields(schema, params), MOST_TYPED)
}

/** The number of parameters in fields for one meaning. */
export function typedFields(schema: JsonSchema, params: Data): number {
  return Object.keys(params).filter((name) => {
    const { slot, schema: field } = toMissing(name, schema)
    return field.const === undefined && TYPED.has(slot.kind)
  }).length
}

/** Whether a call uses the entities of the intent. */
function usageFit({ entities }: IntentReading, params: Data): number {
  const texts = textsOf(params)
  let factor = 1
  for (const kind of IDENTIFYING_KINDS) {
    // An action for one page ignores the others.
    if (
      kind === 'url' &&
      entities.values.url?.some((url, place) => place > 0 && !texts.includes(url)) === true
    )
      factor *= UNUSED_FACTOR
    for (const value of entities.values[kind]?.slice(0, 1) ?? []) {
      if (texts.some((text) => isSame(text, value, kind))) factor *= USED_FACTOR
      else if (!texts.some((text) => isPartOf(text, value, kind)))
        factor *= texts.some((text) => text.includes(value)) ? PARTLY_USED_FACTOR : UNUSED_FACTOR
    }
  }
  return factor
}

/** Also matches an id taken from a URL. */
function isSame(text: string, value: string, kind: EntityKind): boolean {
  return (
    text === value ||
    (kind === 'domain' && text === `https://${value}/`) ||
    (kind === 'url' && /^[\w-]{6,}$/.test(text) && value.includes(text))
  )
}

/** Whether a text is a part of an entity: the host of a URL or email, or the coin of a ticker. */
function isPartOf(text: string, value: string, kind: EntityKind): boolean {
  if (kind === 'ticker')
    return Object.entries(COINS).some(
      ([name, ticker]) => ticker === value && text.toLowerCase().includes(name),
    )
  if (kind === 'email') return text === value.split('@')[1]
  return kind === 'url' && text.includes('.') && URL.parse(value)?.hostname.endsWith(text) === true
}

/** Words of an intent, and the words of actions that return it. */
const SUBJECTS: readonly (readonly [RegExp, RegExp])[] = [
  [/\be-?mails?\b|\bmailbox/i, /e-?mail|contact|mailbox|inbox/i],
  [/\b(?:phone|mobile|telephone)\b/i, /phone|mobile|contact/i],
]
/** Subjects in an action's name that the intent must also name. */
const NAMED_SUBJECTS: readonly (readonly [RegExp, RegExp])[] = [
  [/phone/i, /\b(?:tele|cell)?phone|\bmobile|\bcall|\bnumber/i],
]
/** Files that a page reader does not read, and words for them. */
const DOCUMENT =
  /\.(?:pdf|docx?|pptx?|xlsx?|odt|odp|ods|epub|rtf|eml|msg|csv)(?:[?#\s]|$)|\b(?:pdf|word|office|excel|powerpoint|slides?|spreadsheet|epub|e-?book|document|file|arxiv)/i
const OTHER_SUBJECT_FACTOR = 0.85
const OTHER_NAME_FACTOR = 0.7

function subjectFit({ service, name, action }: Entry, intent: string): number {
  const about = `${service.id} ${name} ${action.summary} ${action.keywords.join(' ')}`
  if (name === 'document' && service.id === 'reader' && !DOCUMENT.test(intent))
    return OTHER_NAME_FACTOR
  if (NAMED_SUBJECTS.some(([inName, inIntent]) => inName.test(name) && !inIntent.test(intent)))
    return OTHER_NAME_FACTOR
  return SUBJECTS.some(([inIntent, inAction]) => inIntent.test(intent) && !inAction.test(about))
    ? OTHER_SUBJECT_FACTOR
    : 1
}

const OTHER_COUNTRY_FACTOR = 0.5
const OWN_COUNTRY_FACTOR = 1.15

/** Prefers registers of the country that the intent names. */
function countryFit({ entities: { country } }: IntentReading, { endpoint }: Target): number {
  const of =
    country === null || endpoint === null
      ? null
      : findCountry(
          endpoint.replaceAll(/[^a-z]+/gi, ' ').replace(/\bu[ks]\b/, (code) => code.toUpperCase()),
        )
  if (country === null || of === null) return 1
  return of.country.alpha2 === country.alpha2 ? OWN_COUNTRY_FACTOR : OTHER_COUNTRY_FACTOR
}

/** Action names without meaning of their own. */
const PLAIN_NAMES = new Set(['search', 'fetch', 'get'])

/** Prefers an action whose name is in the intent: "list files", "crawl". */
function nameFit({ service, name }: Entry, intent: string): number {
  const spoken = new Set(tokenize(intent))
  const words = tokenize(
    name
      .split(/[-_]/)
      .filter((word) => !GENERIC.has(word) && !PLAIN_NAMES.has(word))
      .join(' '),
  )
  const share = words.filter((word) => spoken.has(word)).length / Math.max(1, words.length)
  return (
    1 +
    NAMED_BONUS * share +
    (tokenize(service.id).every((word) => spoken.has(word)) ? NAMED_BONUS / 2 : 0)
  )
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : []
}
