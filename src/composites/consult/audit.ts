/** Checks that a call does what the intent says: no part of the intent is lost, cut or used as something else. */
import type { Entry } from '../../catalog/index.ts'
import type { JsonSchema } from '../../catalog/published/json-schema.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { tokenize } from '../discover/tokenize.ts'
import { unexplainedWords, wordsOf, type ActionWords } from './action-words.ts'
import { actOf, carriesOut } from './acts.ts'
import type { Found } from './entities.ts'
import { toMissing, type Missing } from './fill.ts'
import type { IntentReading } from './intent-reading.ts'
import { isEnglish } from './languages.ts'
import { isListName } from './list-names.ts'
import type { Slot } from './slots.ts'
import { isUsed, textsOf } from './usage.ts'
import type { Target } from './suggested-call.ts'

/**
 * `unused`: a name, identifier, place, time or amount that the call does not use. `cut`: a part of an
 * identifier. `empty`: a paid call without any filter. `list_name`: a watch list in place of a name.
 * `act`: the intent asks to change something that the action does not change. `unexplained`: words of the
 * intent that neither the action nor the call contains. `unrelated`: nothing in the intent names what the
 * action does; the call only passes the words on.
 */
export type Problem = {
  readonly kind: 'unused' | 'cut' | 'empty' | 'list_name' | 'act' | 'unexplained' | 'unrelated'
  readonly text: string
}

type Checked = {
  readonly entry: Entry
  readonly target: Target
  readonly schema: JsonSchema
  readonly params: Data
  readonly reading: IntentReading
}

export function findProblems(checked: Checked): Problem[] {
  const { entry, target, schema, reading, params } = checked
  const words = wordsOf(entry, target, schema)
  const act = actOf(reading.intent)
  const { hard, soft } = lostSpans(checked, words)
  return [
    ...(isUnrelated(checked, words) ? [problem('unrelated', '')] : []),
    ...(act === null || carriesOut(entry, act) ? [] : [problem('act', act)]),
    ...listNames(params, schema).map((name) => problem('list_name', name)),
    ...cutValues(params, reading.intent).map((value) => problem('cut', value)),
    ...hard.map((text) => problem('unused', text)),
    ...(isEmpty(checked) ? [problem('empty', '')] : []),
    ...[...soft, ...unexplained(checked, words, [...hard, ...soft])].map((text) =>
      problem('unexplained', text),
    ),
  ]
}

function problem(kind: Problem['kind'], text: string): Problem {
  return { kind, text }
}

type Lost = { readonly hard: readonly string[]; readonly soft: readonly string[] }

/**
 * Parts of the intent that the call does not use: `hard` ones that it must use, and `soft` ones that may only
 * describe the situation, because the action has no field for them.
 */
function lostSpans(checked: Checked, words: ActionWords): Lost {
  const { entities } = checked.reading
  const texts = textsOf(checked.params)
  const lost = entities.found.filter(
    (found) => !isUsed(found, texts) && !isTask(found, words, entities.found),
  )
  const isSoft = (found: Found): boolean => isSituation(found, checked)
  const others = [...lostTime(checked, texts), ...lostPlaces(checked, words, texts)]
  return {
    hard: [
      ...lost.filter((found) => !isSoft(found)).map(({ text }) => text),
      ...others.filter(({ isHard }) => isHard).map(({ text }) => text),
    ],
    soft: [
      ...lost.filter(isSoft).map(({ text }) => text),
      ...others.filter(({ isHard }) => !isHard).map(({ text }) => text),
    ],
  }
}

/** Names need a field that takes one; amounts need a number. Without it, they describe the situation. */
function isSituation({ kind, isUncertain }: Found, { schema, entry }: Checked): boolean {
  if (isUncertain === true) return true
  const kinds = slotsOf(schema)
  if (kind === 'currency') return !kinds.some((one) => one.kind === 'currency')
  if (kind === 'duration' || kind === 'money')
    return entry.service.id !== 'media' && !kinds.some((one) => one.kind === 'number')
  return (
    ['person', 'company', 'place', 'label'].includes(kind) &&
    !kinds.some((one) => WORDS.has(one.kind) || takesName(one))
  )
}

function slotsOf(schema: JsonSchema): Slot[] {
  return Object.keys(schema.properties ?? {}).map((name) => toMissing(name, schema).slot)
}

function takesName(slot: Slot): boolean {
  return slot.kind === 'named' && ['company', 'quoted', 'person', 'handle'].includes(slot.of[0] ?? '')
}

type LostText = { readonly text: string; readonly isHard: boolean }
const TIMES = new Set(['date', 'from', 'to', 'window', 'year'])

function lostTime({ params, schema, reading }: Checked, texts: readonly string[]): LostText[] {
  const { span, countText, count } = reading.entities
  const lost: LostText[] = []
  const isGiven = Object.keys(params).some((name) => TIMES.has(toMissing(name, schema).slot.kind))
  const isLoose =
    span === null ||
    span.window === 'day' ||
    /\b(?:today|tomorrow|now|this)\b/i.test(span.text) ||
    texts.some((text) => text.toLowerCase().includes(span.text.trim().toLowerCase()))
  if (span !== null && !isGiven && !isLoose)
    lost.push({
      text: span.text.trim(),
      isHard: slotsOf(schema).some(({ kind }) => TIMES.has(kind)) || span.window === null,
    })
  if (countText !== null && !texts.some((text) => text.includes(String(count))))
    lost.push({ text: countText.trim(), isHard: false })
  return lost
}

function lostPlaces(
  { schema, reading }: Checked,
  words: ActionWords,
  texts: readonly string[],
): LostText[] {
  const { country, countryText, state, stateText } = reading.entities
  const isKept = (text: string): boolean =>
    texts.some((one) => one.toLowerCase().includes(text.toLowerCase()))
  const isNamed = (text: string): boolean => tokenize(text).some((stem) => words.all.has(stem))
  const takes = (...kinds: readonly string[]): boolean =>
    slotsOf(schema).some(({ kind }) => kinds.includes(kind))
  const lost: LostText[] = []
  if (
    countryText !== null &&
    !isKept(countryText) &&
    !texts.some((text) => isCountry(text, country)) &&
    !isNamed(`${countryText} ${country?.name ?? ''}`)
  )
    lost.push({ text: countryText, isHard: takes('country', 'place', 'text', 'city') })
  if (stateText !== null && !isKept(stateText) && !texts.includes(state ?? ''))
    lost.push({ text: stateText, isHard: takes('state', 'place', 'text', 'city') })
  return lost
}

function isCountry(text: string, country: IntentReading['entities']['country']): boolean {
  return (
    country !== null &&
    [country.alpha2, country.alpha3, country.name].some(
      (one) => one.toLowerCase() === text.toLowerCase(),
    )
  )
}

const NAMES = new Set(['company', 'person', 'place', 'label', 'code', 'airport'])

/** A name that belongs to the action, such as "Google Trends", or that repeats a value in other words. */
function isTask({ kind, text }: Found, { all }: ActionWords, found: readonly Found[]): boolean {
  if (!NAMES.has(kind)) return false
  return (
    tokenize(text).every((stem) => all.has(stem)) ||
    found.some((other) => other.text !== text && other.text.includes(text))
  )
}

/** Values that are a part of a longer word of the intent: "240.10" of "240.10b-5". */
function cutValues(params: Data, intent: string): string[] {
  return textsOf(params).filter((text) => {
    if (!/\d/.test(text) || text.length < 3 || /^https?:/.test(text)) return false
    const places = [...intent.matchAll(new RegExp(escape(text), 'gi'))]
    return (
      places.length > 0 &&
      places.every(({ 0: written, index }) => {
        const before = intent.slice(0, index)
        const after = intent.slice(index + written.length)
        return /[\p{L}\d]$/u.test(before) || /^(?:[\p{L}\d]|[.-][\p{L}\d])/u.test(after)
      })
    )
  })
}

function escape(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
}

const FILTERS = new Set(['named', 'text', 'prompt', 'place', 'city', 'state', 'role', 'subject', 'coin', 'chat'])
const RANKING = /\b(?:top|trending|most|largest|biggest|ranking|ranked|rank|highest|lowest|best|popular|hot|all)\b/i

const FREE = new Set(['text', 'title', 'prompt', 'speech', 'subject', 'other', 'count', 'chat'])
/** Words that many actions share. */
const WEAK = new Set(
  'check lookup search query data find read get list turn run start make use text page result number code give create open name content id value field type'
    .split(' ')
    .flatMap(tokenize),
)

/** Whether a call only passes free text on, and no other word of the intent describes the action. */
function isUnrelated({ entry, params, schema, reading }: Checked, { task }: ActionWords): boolean {
  if (entry.service.category === 'web search' || entry.service.id === 'core') return false
  const names = Object.keys(params).filter((name) => schema.properties?.[name]?.const === undefined)
  if (names.length === 0 || !names.every((name) => isFree(name, schema))) return false
  const passed = new Set(textsOf(params).flatMap(tokenize))
  const own = reading.entities.words.flatMap(({ stems }) => stems)
  return !own.some((stem) => task.has(stem) && !WEAK.has(stem) && !passed.has(stem))
}

function isFree(name: string, schema: JsonSchema): boolean {
  return name === 'model' || FREE.has(toMissing(name, schema).slot.kind)
}

/** Whether a paid call has no filter although the action has some. */
function isEmpty({ entry, schema, params, reading }: Checked): boolean {
  if (entry.action.price.kind === 'free') return false
  const filters = filtersOf(schema)
  const given = Object.keys(params).filter(
    (name) =>
      schema.properties?.[name]?.const === undefined &&
      !['count', 'number', 'flag'].includes(toMissing(name, schema).slot.kind),
  )
  return filters.length > 0 && given.length === 0 && !(RANKING.test(reading.intent) && /^(?:rank|list)\b/i.test(entry.action.summary)) && !isOpening(entry)
}

/** The fields that narrow what an action returns, the most useful first. */
export function filtersOf(schema: JsonSchema): Missing[] {
  return Object.keys(schema.properties ?? {})
    .map((name) => toMissing(name, schema))
    .filter(({ slot }) => FILTERS.has(slot.kind))
}

/** Whether the action opens something new, which needs no filter. */
function isOpening({ action }: Entry): boolean {
  return /^(?:open|start|create)\b/i.test(action.summary)
}

const NAME_FIELDS = /^(?:entity_?)?name$/

/** Names of watch lists in the field of a name. */
function listNames(params: Data, schema: JsonSchema): string[] {
  return Object.entries(params).flatMap(([name, value]) =>
    NAME_FIELDS.test(name) &&
    schema.properties?.[name]?.const === undefined &&
    typeof value === 'string' &&
    isListName(value)
      ? [value]
      : [],
  )
}

/** Kinds of fields that take words of any subject. */
const WORDS = new Set(['text', 'title', 'role', 'subject', 'other', 'place', 'city'])

/** Whether the action has an empty field for words of the intent. Without one, they only describe the task. */
function hasRoomForWords(schema: JsonSchema, params: Data): boolean {
  return Object.keys(schema.properties ?? {}).some((name) => {
    const { slot, schema: field } = toMissing(name, schema)
    return (
      params[name] === undefined &&
      (WORDS.has(slot.kind) || takesName(slot)) &&
      field.const === undefined
    )
  })
}

function unexplained(
  { params, reading, schema }: Checked,
  words: ActionWords,
  unused: readonly string[],
): string[] {
  const { entities } = reading
  const isQuoted = entities.found.some(
    (found) => found.kind === 'quoted' && isUsed(found, textsOf(params)),
  )
  // The words around a quoted text describe the task.
  if (isQuoted || !hasRoomForWords(schema, params) || !isEnglish(reading.intent)) return []
  const covered = [
    ...entities.found.map(({ text }) => text),
    ...unused,
    entities.countryText ?? '',
    entities.stateText ?? '',
  ].flatMap((text) => rangesOf(text, entities.bare))
  return unexplainedWords(
    entities.words.filter(
      ({ from, to }) => !covered.some((range) => range.from <= from && to <= range.to),
    ),
    words,
    [...textsOf(params), ...entities.found.map(({ text }) => text), entities.country?.name ?? ''],
  )
}

/** The places of a text within another. */
function rangesOf(text: string, within: string): { readonly from: number; readonly to: number }[] {
  if (text === '') return []
  const ranges: { from: number; to: number }[] = []
  for (let at = within.indexOf(text); at >= 0; at = within.indexOf(text, at + text.length))
    ranges.push({ from: at, to: at + text.length })
  return ranges
}
