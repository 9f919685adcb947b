/** How well a call fits an intent, beyond the words that they share: factors around 1 for the score of a candidate. */
import type { Entry } from '../../catalog/index.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { tokenize } from '../discover/tokenize.ts'
import { COINS, type EntityKind } from './entities.ts'
import type { Missing } from './fill.ts'
import { findCountry } from '../discover/places.ts'
import { platformFit } from './platforms.ts'
import type { SuggestedCall, Target } from './suggest.ts'
import { GENERIC } from '../discover/topic.ts'
import type { IntentReading } from './values.ts'

/** What an intent names to have it used: an action without a place for it is rather not meant. */
export const TELLING: readonly EntityKind[] = [
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
const UNUSED_BUT_SAID_FACTOR = 0.8
const USED_FACTOR = 1.25
/** Of a call that cannot be made before a question is answered. */
const MISSING_FACTOR = 0.65
const MISSING_ID_FACTOR = 0.4
const NAMED_BONUS = 0.2

type Draft = {
  readonly params: Data
  readonly call: SuggestedCall | null
  readonly missing: readonly Missing[]
}

export function fitOf(
  entry: Entry,
  target: Target,
  reading: IntentReading,
  { params, call, missing }: Draft,
): number {
  const names = `${target.service} ${target.action} ${target.endpoint ?? ''}`
  return (
    usage(reading, params) *
    gaps(entry, missing, reading.intent) *
    convenience(entry, call) *
    keeping(entry, reading.intent) *
    naming(entry, reading.intent) *
    subjectFit(entry, reading.intent) *
    countryFit(reading, target) *
    platformFit(reading.intent, names)
  )
}

/** Nobody asks for something by an id that they do not name: the search that finds it is rather meant. */
function gaps({ action }: Entry, missing: readonly Missing[], intent: string): number {
  if (missing.length === 0) return 1
  if (action.exampleNeeds.length > 0 && GOING_ON.test(intent)) return MISSING_FACTOR
  return missing.some(({ slot }) => slot.kind === 'named' && slot.of[0] === 'id')
    ? MISSING_ID_FACTOR
    : MISSING_FACTOR
}

/** Between equals the cheaper one, rather an answer than a job to be polled, an action rather than one of a thousand paths, and nothing that takes no notice of the intent. */
function convenience({ action }: Entry, call: SuggestedCall | null): number {
  const price = 1 - Math.min(0.12, 0.002 * (call?.max_cost_cents ?? 0))
  const isBlind =
    call !== null &&
    call.max_cost_cents > 0 &&
    Object.keys(call.params).every((name) => name === 'endpoint')
  return (
    price *
    (action.kind === 'endpoint' ? 0.9 : 1) *
    (action.kind === 'job' || /^(?:start|launch)\b/i.test(action.summary) ? 0.85 : 1) *
    (isBlind ? 0.75 : 1)
  )
}

/** Said of what was begun before: nobody stops a sandbox by creating one. */
const GOING_ON =
  /\b(?:stop|terminat|kill|end|clos|releas|extend|prolong|renew|cancel|delet|remov|status|result|progress|repl(?:y|ies)|how far)/i
/** What is bought once and kept is meant by those alone who want one made. */
const MAKING = /\b(?:creat|mak|open|set|new|buy|order|register|provision|need|want|give)/i
const NOT_MADE_FACTOR = 0.4

function keeping({ action }: Entry, intent: string): number {
  const isBegun =
    action.kind === 'call' && action.ownership?.createdId !== undefined && GOING_ON.test(intent)
  return (isBegun || (action.kind === 'call' && action.ownership?.isPermanent === true)) &&
    !MAKING.test(intent)
    ? NOT_MADE_FACTOR
    : 1
}

/** How well a call uses what the intent names. */
function usage({ entities }: IntentReading, params: Data): number {
  const texts = textsOf(params)
  let factor = 1
  for (const kind of TELLING) {
    // Of several pages an action that takes one leaves the others out.
    if (
      kind === 'url' &&
      entities.values.url?.some((url, place) => place > 0 && !texts.includes(url)) === true
    )
      factor *= UNUSED_FACTOR
    for (const value of entities.values[kind]?.slice(0, 1) ?? []) {
      if (texts.some((text) => isSame(text, value, kind))) factor *= USED_FACTOR
      else if (!texts.some((text) => isPartOf(text, value, kind)))
        factor *= texts.some((text) => text.includes(value))
          ? UNUSED_BUT_SAID_FACTOR
          : UNUSED_FACTOR
    }
  }
  return factor
}

/** Also an id that was taken from an address. */
function isSame(text: string, value: string, kind: EntityKind): boolean {
  return (
    text === value ||
    (kind === 'domain' && text === `https://${value}/`) ||
    (kind === 'url' && /^[\w-]{6,}$/.test(text) && value.includes(text))
  )
}

/** The host of an address or of an e-mail address is some of it, and the name of a coin says as much as its ticker. */
function isPartOf(text: string, value: string, kind: EntityKind): boolean {
  if (kind === 'ticker')
    return Object.entries(COINS).some(
      ([name, ticker]) => ticker === value && text.toLowerCase().includes(name),
    )
  if (kind === 'email') return text === value.split('@')[1]
  return kind === 'url' && text.includes('.') && URL.parse(value)?.hostname.endsWith(text) === true
}

/** What an intent says that it wants, and how actions that bring it speak of it. */
const WANTED: readonly (readonly [RegExp, RegExp])[] = [
  [/\be-?mails?\b|\bmailbox/i, /e-?mail|contact|mailbox|inbox/i],
  [/\b(?:phone|mobile|telephone)\b/i, /phone|mobile|contact/i],
]
/** What an action brings by its very name: nobody means it who does not say so. */
const BROUGHT_BY_NAME: readonly (readonly [RegExp, RegExp])[] = [
  [/phone/i, /\b(?:tele|cell)?phone|\bmobile|\bcall|\bnumber/i],
]
const OTHER_SUBJECT_FACTOR = 0.85
const OTHER_NAME_FACTOR = 0.7

function subjectFit({ service, name, action }: Entry, intent: string): number {
  const about = `${service.id} ${name} ${action.summary} ${action.keywords.join(' ')}`
  if (BROUGHT_BY_NAME.some(([brought, said]) => brought.test(name) && !said.test(intent)))
    return OTHER_NAME_FACTOR
  return WANTED.some(([said, brought]) => said.test(intent) && !brought.test(about))
    ? OTHER_SUBJECT_FACTOR
    : 1
}

const OTHER_COUNTRY_FACTOR = 0.5
const OWN_COUNTRY_FACTOR = 1.15

/** A register is of one country: that of another one knows nobody of it. */
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

/** No more than what everybody says. */
const PLAIN_NAMES = new Set(['search', 'fetch', 'get'])

/** An intent that says the action's own name means it: "list files", "crawl". */
function naming({ service, name }: Entry, intent: string): number {
  const said = new Set(tokenize(intent))
  const words = tokenize(
    name
      .split(/[-_]/)
      .filter((word) => !GENERIC.has(word) && !PLAIN_NAMES.has(word))
      .join(' '),
  )
  const share = words.filter((word) => said.has(word)).length / Math.max(1, words.length)
  return (
    1 +
    NAMED_BONUS * share +
    (tokenize(service.id).every((word) => said.has(word)) ? NAMED_BONUS / 2 : 0)
  )
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : []
}
