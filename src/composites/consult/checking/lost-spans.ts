/** Finds the parts of an intent that a call does not use. */
import { tokenize } from '../../discover/tokenize.ts'
import type { ActionWords } from './action-words.ts'
import type { Checked } from './checked.ts'
import type { Found } from '../reading/entities.ts'
import { toMissing } from '../filling/fill.ts'
import { slotsOf, takesName, WORDS } from './filters.ts'
import type { Slot } from '../filling/slots.ts'
import type { IntentReading } from '../reading/intent-reading.ts'
import { isUsed, textsOf } from './usage.ts'

type Lost = { readonly hard: readonly string[]; readonly soft: readonly string[] }

/**
 * Parts of the intent that the call does not use: `hard` ones that it must use, and `soft` ones that may only
 * describe the situation, because the action has no field for them.
 */
export function lostSpans(checked: Checked, words: ActionWords): Lost {
  const { entities } = checked.reading
  const texts = textsOf(checked.params)
  const lost = entities.found.filter(
    (found) =>
      !isUsed(found, texts) &&
      !isTask(found, words, entities.found) &&
      !isNameOfCode(found, checked.reading, texts),
  )
  const kinds = slotsOf(checked.schema)
  const isSoft = (found: Found): boolean => isSituation(found, checked, kinds)
  const others = [...lostTime(checked, texts), ...lostPlaces(checked, words, texts)]
  return {
    hard: [
      ...lost.filter((found) => !isSoft(found)).map(({ text }) => text),
      ...others.filter(({ isHard }) => isHard).map(({ text }) => text),
      ...ownSystem(checked.reading, words),
    ],
    soft: [
      ...lost.filter(isSoft).map(({ text }) => text),
      ...others.filter(({ isHard }) => !isHard).map(({ text }) => text),
    ],
  }
}

/** Names need a field that takes one; amounts need a number. Without it, they describe the situation. */
function isSituation(
  { kind, isUncertain }: Found,
  { entry }: Checked,
  kinds: readonly Slot[],
): boolean {
  if (isUncertain === true) return true
  if (kind === 'currency') return !kinds.some((one) => one.kind === 'currency')
  if (kind === 'duration' || kind === 'money')
    return entry.service.id !== 'media' && !kinds.some((one) => one.kind === 'number')
  return (
    ['person', 'company', 'place', 'label'].includes(kind) &&
    !kinds.some((one) => WORDS.has(one.kind) || takesName(one))
  )
}

/** "Search my company's Confluence": a system of the caller, which no action reaches. */
function ownSystem({ intent }: IntentReading, { all }: ActionWords): string[] {
  const system = OWN_SYSTEM.exec(intent)?.[1] ?? ''
  return system === '' || tokenize(system).every((stem) => all.has(stem)) ? [] : [system]
}

const OWN_SYSTEM =
  /\b(?:my|our)(?: (?:company|team|office|work|personal|private|own)(?:['’]s)?)? (\p{Lu}\p{Ll}[\p{L}\d]{2,20})/u

/** "Heathrow LHR": the name repeats the code after it. */
function isNameOfCode(
  { text }: Found,
  { intent }: IntentReading,
  texts: readonly string[],
): boolean {
  const at = intent.indexOf(text)
  const code = /^(?: airport)?,? \(?([A-Z]{3})\b/.exec(intent.slice(at + text.length))?.[1]
  return at >= 0 && code !== undefined && texts.includes(code)
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
    lost.push({ text: countText.trim(), isHard: true })
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
    lost.push({
      text: countryText,
      isHard: takes('country', 'country_code', 'place', 'text', 'city'),
    })
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
