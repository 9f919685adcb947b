/** Checks that a call carries out the whole intent: no part is lost, cut or used as something else. */
import type { Entry } from '../../../catalog/index.ts'
import type { JsonSchema } from '../../../catalog/published/json-schema.ts'
import type { Data } from '../../../catalog/vocabulary/outcome.ts'
import { tokenize } from '../../discover/tokenize.ts'
import { unexplainedWords, wordsOf, type ActionWords } from './action-words.ts'
import { actOf, carriesOut } from './acts.ts'
import type { Checked } from './checked.ts'
import { filtersOf, takesName, WORDS } from './filters.ts'
import { lostSpans } from './lost-spans.ts'
import { toMissing } from '../filling/fill.ts'
import type { IntentWord } from '../reading/intent-words.ts'
import { isEnglish } from '../reading/languages.ts'
import { isListName } from '../reading/list-names.ts'
import { platformsIn } from '../platforms.ts'
import { requestWordsIn } from './request-words.ts'
import { isList } from './summary.ts'
import { isUsed, textsOf } from './usage.ts'

/**
 * `unused`: a value of the intent that the call lacks. `cut`: a part of an identifier. `empty`: a paid call without a
 * filter. `list_name`: a watch list in place of a name. `act`: a change that the action does not make.
 * `unexplained`: words that neither the action nor the call contains. `unrelated`: free text for an action that no
 * word of the intent describes. `request_word`: a value with a word of the request.
 */
export type Problem = {
  readonly kind:
    | 'unused'
    | 'cut'
    | 'empty'
    | 'list_name'
    | 'act'
    | 'unexplained'
    | 'unrelated'
    | 'request_word'
  readonly text: string
}

export function findProblems(checked: Checked): Problem[] {
  const { entry, target, schema, reading, params } = checked
  const words = wordsOf(entry, target, schema)
  const act = actOf(reading.intent)
  const { hard, soft } = lostSpans(checked, words)
  const around = wordsAround(checked, words)
  return [
    ...(isUnrelated(checked, words) ||
    isUnaskedChange(checked, words) ||
    isOtherTask(checked, around) ||
    isPrivate(checked)
      ? [problem('unrelated', '')]
      : []),
    ...(act === null || carriesOut(entry, target, act) ? [] : [problem('act', act)]),
    ...requestWordsIn(params, schema, reading).map((value) => problem('request_word', value)),
    ...listNames(params, schema).map((name) => problem('list_name', name)),
    ...cutValues(params, reading.intent).map((value) => problem('cut', value)),
    ...[...hard, ...around.foreign.filter(isNonPublic)].map((text) => problem('unused', text)),
    ...(isEmpty(checked) ? [problem('empty', '')] : []),
    ...[...soft, ...unexplained(checked, words, [...hard, ...soft])].map((text) =>
      problem('unexplained', text),
    ),
  ]
}

function problem(kind: Problem['kind'], text: string): Problem {
  return { kind, text }
}

/** Values that are a part of a longer word of the intent: "240.10" of "240.10b-5". */
function cutValues(params: Data, intent: string): string[] {
  return textsOf(params).filter((text) => {
    if (!/\d/.test(text) || text.length < 3 || /^https?:/.test(text)) return false
    const places = [...intent.matchAll(new RegExp(RegExp.escape(text), 'gi'))]
    return (
      places.length > 0 &&
      places.every(({ 0: written, index }) => {
        const before = intent.slice(0, index)
        const after = intent.slice(index + written.length)
        return (
          /[\p{Script=Latin}\d]$/u.test(before) ||
          /^(?:[\p{Script=Latin}\d]|[.-][\p{L}\d])/u.test(after)
        )
      })
    )
  })
}

const RANKING =
  /\b(?:top|trending|most|largest|biggest|ranking|ranked|rank|highest|lowest|best|popular|hot|all)\b/i

const FREE = new Set(['text', 'title', 'prompt', 'speech', 'subject', 'other', 'count', 'chat'])
/** Words that many actions share. */
const WEAK = new Set(
  'check lookup search query data find read get list turn run start make use text page result number code give create open name content id value field type'
    .split(' ')
    .flatMap(tokenize),
)

/** Whether the action takes any topic. */
function isGeneral({ service }: Entry): boolean {
  return service.category === 'web search' || service.id === 'core'
}

/** Whether a call only passes free text on, and no other word of the intent describes the action. */
function isUnrelated({ entry, params, schema, reading }: Checked, { task }: ActionWords): boolean {
  if (isGeneral(entry)) return false
  if (!isOnlyText(params, schema)) return false
  const passed = new Set(textsOf(params).flatMap(tokenize))
  const own = reading.entities.words.flatMap(({ stems, english }) => [...stems, ...english])
  return !own.some((stem) => task.has(stem) && !WEAK.has(stem) && !passed.has(stem))
}

/** Whether the action stores, sends or deletes something and no word of an English intent describes that. */
function isUnaskedChange({ entry, reading }: Checked, { task }: ActionWords): boolean {
  if (!CHANGE.test(entry.action.summary) || !isEnglish(reading.intent)) return false
  return !reading.entities.words.some(
    ({ stems, isRequest }) =>
      !isRequest && stems.some((stem) => task.has(stem) && !WEAK.has(stem) && stem !== 'url'),
  )
}

const CHANGE = /^(?:store|send|create|delete|reply|upload|save)\b/i

/** Whether all values are free text, counts and models. */
export function isOnlyText(params: Data, schema: JsonSchema): boolean {
  const names = Object.keys(params).filter((name) => schema.properties?.[name]?.const === undefined)
  return names.length > 0 && names.every((name) => isFree(name, schema))
}

function isFree(name: string, schema: JsonSchema): boolean {
  return name === 'model' || FREE.has(toMissing(name, schema).slot.kind)
}

/** Whether a paid call has no filter although the action has some. */
function isEmpty({ entry, target, schema, params, reading }: Checked): boolean {
  if (entry.action.price.kind === 'free') return false
  const filters = filtersOf(schema)
  const given = Object.keys(params).filter(
    (name) =>
      schema.properties?.[name]?.const === undefined &&
      !['count', 'number', 'flag'].includes(toMissing(name, schema).slot.kind),
  )
  return (
    filters.length > 0 &&
    given.length === 0 &&
    !((RANKING.test(reading.intent) || reading.isTaskOnly) && isList(entry, target.endpoint)) &&
    !isOpening(entry)
  )
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

function unexplained(checked: Checked, words: ActionWords, unused: readonly string[]): string[] {
  const { params, reading, schema } = checked
  const isQuoted = reading.entities.found.some(
    (found) => found.kind === 'quoted' && isUsed(found, textsOf(params)),
  )
  // The words around a quoted text describe the task.
  if (isQuoted) return []
  const hasValues = Object.keys(params).some(
    (name) => schema.properties?.[name]?.const === undefined,
  )
  if (hasValues && !hasRoomForWords(schema, params)) return []
  const free = freeWords(checked, unused).filter(({ text }) => hasValues || !RANKING.test(text))
  return foreignTo(checked, words, free)
}

/** The words of an intent that neither the action nor the call contains. */
function foreignTo(
  { params, reading: { entities } }: Checked,
  words: ActionWords,
  free: readonly IntentWord[],
): string[] {
  return unexplainedWords(free, words, [
    ...textsOf(params),
    ...entities.found.map(({ text }) => text),
    entities.country?.name ?? '',
  ])
}

/** The words of an intent outside its names, places and lost parts. */
function freeWords({ reading: { entities } }: Checked, unused: readonly string[]): IntentWord[] {
  const texts = new Set([
    ...entities.found.map(({ text }) => text),
    ...unused,
    entities.countryText ?? '',
    entities.stateText ?? '',
  ])
  const covered = [...texts].flatMap((text) => rangesOf(text, entities.bare))
  return entities.words.filter(
    ({ isRequest, from, to }) =>
      !isRequest && !covered.some((range) => range.from <= from && to <= range.to),
  )
}

/** The words around the values of an intent, and those of them that do not describe the action. */
type Around = { readonly words: readonly IntentWord[]; readonly foreign: readonly string[] }

function wordsAround(checked: Checked, words: ActionWords): Around {
  const free = freeWords(checked, [])
  return { words: free, foreign: foreignTo(checked, words, free) }
}

/**
 * Whether the words around the values of an intent describe another task: "the password of ana@example.org" for a
 * check of an address. Actions with a field for words take them as the topic instead.
 */
function isOtherTask({ params, schema, reading }: Checked, { words, foreign }: Around): boolean {
  if (hasRoomForWords(schema, params) || isOnlyText(params, schema)) return false
  const others = new Set(foreign)
  // An unknown word of another language describes nothing.
  const known = isEnglish(reading.intent)
    ? words
    : words.filter(({ english }) => english.length > 0)
  if (known.some(({ text }) => others.has(text) && isNonPublic(text))) return true
  const describing = known.filter(({ text }) => platformsIn(text).length === 0)
  return describing.length > 1 && describing.every(({ text }) => others.has(text))
}

/** Words for data that a reader of public data does not get, unless its description has them. */
const NON_PUBLIC = new Set(
  'private password passwords pin secret hidden deleted erased confidential dm dms unlisted encrypted'.split(
    ' ',
  ),
)

function isNonPublic(text: string): boolean {
  return NON_PUBLIC.has(text.toLowerCase())
}

/** Matters of the caller, which the public web does not contain, unless the intent names the web. */
const PRIVATE = /\b(?:[Mm]y|[Oo]ur|mine|I|i|me|us|[Ww]e)\b/
/** "Show me" addresses the gateway. */
const REQUEST =
  /^(?:(?:please|can|could|would|will|you|i|we|want|need|to) )*(?:[a-z]+) (?:me|us)\b|\blet (?:me|us) know\b|^(?:i|we) (?:want|need|would like)\b|^(?:can|may|could) (?:i|we)\b/gi
const ON_THE_WEB =
  /\b(?:web|internet|online|news|search|articles?|sources?|google for|find|look up)\b/i

function isPrivate({ entry, schema, params, reading: { intent } }: Checked): boolean {
  return (
    isGeneral(entry) &&
    Object.keys(params).some((name) => toMissing(name, schema).slot.kind === 'text') &&
    PRIVATE.test(intent.replaceAll(REQUEST, '')) &&
    !ON_THE_WEB.test(intent)
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
