/**
 * Reads the entities of an intent: URLs, people, companies, places, times, counts and identifiers. Each
 * pattern reads the text that earlier patterns left.
 */
import { findSpan, type Span } from './dates.ts'
import { RULES } from './entity-rules.ts'
import type { EntityKind } from './entity-kind.ts'
import { findNames, type Name } from '../../discover/names.ts'
import { collapseSpaces, toPlainWords } from '../../discover/idioms.ts'
import { findState, type Country } from '../../discover/places.ts'
import { currenciesIn } from './amounts.ts'
import { findCount } from './counts.ts'
import { countriesIn } from './countries.ts'
import { wordsIn, type IntentWord } from './intent-words.ts'
import { foreignWordsIn, isVocabulary, withoutVocabulary } from './foreign-words.ts'
import { isEnglish } from './languages.ts'
import { completeName, withoutLists } from './list-names.ts'
import { platformsIn } from '../platforms.ts'
import { QUOTED, quotedText } from './quotes.ts'

/**
 * A value with the text of the intent that it was read from. `isUncertain`: a capital letter that may only begin a
 * sentence, or an acronym.
 */
export type Found = {
  readonly kind: EntityKind
  readonly value: string
  readonly text: string
  readonly isUncertain?: boolean
}

export type Entities = {
  readonly values: Readonly<Partial<Record<EntityKind, readonly string[]>>>
  /** All values of this turn with their texts. */
  readonly found: readonly Found[]
  readonly span: Span | null
  readonly count: number | null
  /** The text of the count, such as "top 5". */
  readonly countText: string | null
  readonly country: Country | null
  /** All countries that the intent names. */
  readonly countries: readonly Country[]
  readonly countryText: string | null
  /** Two letters. */
  readonly state: string | null
  readonly stateText: string | null
  /** The intent for a catalog search: each entity replaced by its kind. */
  readonly masked: string
  /** The intent without its time and count. */
  readonly bare: string
  /** The words of `bare`. */
  readonly words: readonly IntentWord[]
}

export function readEntities(intent: string, nowMs: number): Entities {
  const found: Found[] = []
  let rest = readQuoted(intent, found)
  rest = readRules(rest, intent, found)
  const span = findSpan(rest, nowMs)
  rest = without(rest, span?.text)
  const counted = findCount(rest, isEnglish(intent))
  rest = without(rest, counted?.text)
  rest = withoutLists(rest)
  const state = findState(rest)
  const countries = countriesIn(rest)
  const [country = null] = countries
  // The code of a state does not belong to a name: "Denver CO" is not a company.
  const unnamed = without(
    countries.reduce((text, one) => without(text, one.text), rest),
    state?.text.length === 2 ? state.text : undefined,
  )
  for (const { kind, text } of namesIn(unnamed, intent)) {
    const name = completeName(text, unnamed)
    found.push({ kind, value: name, text: name, isUncertain: isUncertainName(name, intent) })
    rest = without(rest, name)
  }
  for (const currency of currenciesIn(rest))
    found.push({ kind: 'currency', value: currency, text: currency })
  const values = collect(found)
  const inAddress = splitAddress(values.address?.[0])
  if (values.zip === undefined && inAddress.zip !== '') values.zip = [inAddress.zip]
  if (inAddress.city !== '') values.place = [inAddress.city]
  const account =
    values.handle === undefined && platformsIn(intent).length > 0
      ? ACCOUNT.exec(rest)?.[1]
      : undefined
  if (account !== undefined) {
    values.handle = [account]
    found.push({ kind: 'handle', value: account, text: account })
    rest = without(rest, account)
  }
  const bare = collapseSpaces(without(without(intent, span?.text), counted?.text))
  return {
    values,
    found,
    span,
    count: counted?.count ?? null,
    countText: counted?.text ?? null,
    country: country?.country ?? null,
    countries: countries.map((one) => one.country),
    countryText: country?.text ?? null,
    state: inAddress.state === '' ? (state?.code ?? null) : inAddress.state,
    stateText: state?.text ?? null,
    masked: withObject(toPlainWords(without(without(rest, country?.text), state?.text)), values),
    bare,
    words: wordsIn(bare, isEnglish(intent)),
  }
}

/** One word that begins a clause, or an acronym. */
function isUncertainName(name: string, intent: string): boolean {
  if (name.includes(' ')) return false
  return (
    /^[A-Z]{2,6}s?$/.test(name) ||
    /^I['’]/.test(name) ||
    /(?:^|[.;:!?]\s*)$/.test(intent.slice(0, intent.indexOf(name)))
  )
}

/** Other languages write nouns and first words with capitals, so only names of several words count there. */
function namesIn(text: string, intent: string): readonly Name[] {
  const names = findNames(text)
  if (isEnglish(intent)) return names.filter(({ text: name }) => !isVerb(name, intent))
  const places = [...text.matchAll(FOREIGN_PLACE)].map(([, place = '']): Name => ({
    kind: 'place',
    text: place,
  }))
  const companies = [...text.matchAll(FOREIGN_COMPANY)].flatMap(([, name = '']): Name[] =>
    foreignWordsIn(name).some(isVocabulary) ? [] : [{ kind: 'company', text: name }],
  )
  const others = names.flatMap((name): Name[] => {
    const own = withoutVocabulary(name.text)
    const isName = own.includes(' ') || (own !== '' && own !== name.text && name.text.includes(' '))
    return isName && !places.some(({ text: one }) => one === own) ? [{ ...name, text: own }] : []
  })
  return [
    ...places,
    ...others,
    ...companies.filter(
      ({ text: one }) =>
        !others.some((other) => other.text.includes(one)) &&
        !places.some((place) => place.text === one),
    ),
  ]
}

/** "Figure out": a verb with a capital letter, because it begins the sentence. */
function isVerb(name: string, intent: string): boolean {
  const at = intent.indexOf(name)
  return (
    !name.includes(' ') &&
    /(?:^|[.;:!?]\s*)$/.test(intent.slice(0, at)) &&
    VERB_OBJECT.test(intent.slice(at + name.length))
  )
}

const VERB_OBJECT =
  /^ (?:out|up|down|me|us|the|an?|all|any|some|every|my|our|whether|if|who|what|where|when|how|which|\d+)\b/

/** "bei SAP", "chez Renault", "von Siemens", "sobre Iberdrola": one word with a capital letter after a preposition. */
const FOREIGN_COMPANY =
  /(?<!\p{L})(?:bei|von|über|chez|sur|de|del|da|do|su|presso|sobre|about|na|em|o|w|про|о|в) (\p{Lu}[\p{L}\d&.-]{1,25})(?![\p{L}\d])/gu

/** "en Madrid", "in Hamburg" at the end of a clause. */
const FOREIGN_PLACE =
  /(?<!\p{L})(?:en|em|à|a|in|w|we|в) (\p{Lu}[\p{L}-]{2,20}(?: \p{Lu}[\p{L}-]{2,20}){0,2})(?=\s*(?:[,.?!;]|$)|\s+(?:con|com|avec|mit|z|с|que)(?!\p{L}))/gu

/** Takes quoted texts out of the intent, so that no rule reads a part of them. */
function readQuoted(intent: string, found: Found[]): string {
  return intent.replace(QUOTED, (text) => {
    const quoted = quotedText(text)
    // A quoted URL or email is that, not a text.
    if (RULES.some(({ kind, pattern }) => kind !== 'code' && isWhole(pattern, quoted)))
      return ` ${quoted} `
    found.push({ kind: 'quoted', value: quoted, text: quoted })
    return '  '
  })
}

function isWhole(pattern: RegExp, text: string): boolean {
  return text.match(new RegExp(pattern.source, pattern.flags.replace('g', '')))?.[0] === text
}

function readRules(text: string, intent: string, found: Found[]): string {
  let rest = text
  for (const { kind, pattern, mask, when, read } of RULES) {
    if (when?.test(intent) === false) continue
    const matches = pattern.global ? [...rest.matchAll(pattern)] : [rest.match(pattern)]
    for (const match of matches) {
      const value = match === null ? '' : (read?.(match) ?? match[0])
      if (match !== null && value !== '') found.push({ kind, value, text: match[0].trim() })
    }
    rest = rest.replace(
      pattern,
      (written) => ` ${(kind === 'url' ? platformsIn(written)[0] : undefined) ?? mask} `,
    )
  }
  return rest
}

function collect(found: readonly Found[]): Partial<Record<EntityKind, string[]>> {
  const values: Partial<Record<EntityKind, string[]>> = {}
  for (const { kind, value } of found)
    if (values[kind]?.includes(value) !== true) values[kind] = [...(values[kind] ?? []), value]
  return values
}

/** "instagram profile of natgeo": a lower-case name is an account if the intent names a platform. */
const ACCOUNT =
  /\b(?:profile|user|account|channel|page|posts|videos|reels|followers|following|tweets|stories) (?:of|by|from|for|named|called) (?!the\b|an?\b|my\b|this\b|all\b)([a-z][\w.]{2,30})\s*[?.!]*$/

/** The city, state and ZIP code of an address such as "12 Elm St, Boise, ID 83702"; '' if missing. */
function splitAddress(address: string | undefined): {
  readonly city: string
  readonly state: string
  readonly zip: string
} {
  const [, city = '', state = '', zip = ''] =
    /,\s*([\p{L} .'-]{2,40}?),?\s+([A-Z]{2})(?:,?\s+(\d{5}))?(?:-\d{4})?$/u.exec(address ?? '') ??
    []
  return { city, state, zip: zip === '' ? (/(\d{5})$/.exec(address ?? '')?.[1] ?? '') : zip }
}

/** Adds "url" if masking "fetch example.com" left only the verb. */
function withObject(masked: string, values: Entities['values']): string {
  return values.domain !== undefined && masked.split(' ').length <= 2 ? `${masked} url` : masked
}

/** The entities of `newer`, completed by those of `older`. */
export function mergeEntities(newer: Entities, older: Entities): Entities {
  return {
    ...newer,
    values: { ...older.values, ...newer.values },
    span: newer.span ?? older.span,
    count: newer.count ?? older.count,
    country: newer.country ?? older.country,
    countries: newer.countries.length > 0 ? newer.countries : older.countries,
    state: newer.state ?? older.state,
  }
}

function without(text: string, part: string | undefined): string {
  return part === undefined || part === '' ? text : text.replace(part, ' ')
}
