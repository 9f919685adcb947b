/**
 * Reads the entities of an intent: URLs, people, companies, places, times, counts and identifiers. Each
 * pattern reads the text that earlier patterns left.
 */
import { findSpan, type Span } from './dates.ts'
import { RULES, type EntityKind } from './entity-rules.ts'
import { findNames } from '../discover/names.ts'
import { collapseSpaces, toPlainWords } from '../discover/idioms.ts'
import { platformsIn } from './platforms.ts'
import { findCountry, findState, type Country } from '../discover/places.ts'

export type Entities = {
  readonly values: Readonly<Partial<Record<EntityKind, readonly string[]>>>
  readonly span: Span | null
  readonly count: number | null
  readonly country: Country | null
  /** Two letters. */
  readonly state: string | null
  /** The intent for a catalog search: each entity replaced by its kind. */
  readonly masked: string
  /** The intent without its time and count. */
  readonly bare: string
}

const NUMBER_WORDS: Readonly<Record<string, number>> = {
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  twelve: 12,
  fifteen: 15,
  twenty: 20,
  fifty: 50,
  'a hundred': 100,
  'one hundred': 100,
}
const COUNT = new RegExp(
  String.raw`\b(?:(?:top|first|last|latest|newest|up to|at most|limit(?: of)?|maximum(?: of)?|max) )?(\d{1,4}|${Object.keys(NUMBER_WORDS).join('|')}) (?=(?:[\p{L}-]{2,20} ){0,3}(?:results?|people|persons|rows?|items?|hits?|papers?|articles?|stories|posts?|tweets?|replies|reviews?|videos?|companies|jobs?|postings?|filings?|cases?|patents?|pages?|listings?|profiles?|candidates|leads|contacts|records|comments?|followers|engineers|managers|founders|directors|developers|designers|recruiters|c[a-z]os|vps|heads|investors|startups|works|homes|studies|trials|links|sources|competitors|deals|charities|nonprofits)\b)|\b(?:top|limit|at most|max) (\d{1,4})\b`,
  'iu',
)

export function readEntities(intent: string, nowMs: number): Entities {
  const values: Partial<Record<EntityKind, string[]>> = {}
  let rest = intent
  for (const {
    kind,
    pattern,
    mask,
    read = ([text = '']: readonly (string | undefined)[]) => text,
  } of RULES) {
    for (const match of rest.matchAll(pattern)) add(values, kind, read(match))
    rest = rest.replace(
      pattern,
      (text) => ` ${(kind === 'url' ? platformsIn(text)[0] : undefined) ?? mask} `,
    )
  }
  const span = findSpan(rest, nowMs)
  rest = without(rest, span?.text)
  const counted = COUNT.exec(rest)
  rest = without(rest, counted?.[0])
  const state = findState(rest)
  const country = findCountry(rest)
  // The code of a state does not belong to a name: "Denver CO" is not a company.
  for (const { kind, text } of findNames(
    without(without(rest, country?.text), state?.text.length === 2 ? state.text : undefined),
  )) {
    add(values, kind, text)
    rest = without(rest, text)
  }
  const inAddress = splitAddress(values.address?.[0])
  if (values.zip === undefined) add(values, 'zip', inAddress.zip)
  if (inAddress.city !== '') values.place = [inAddress.city]
  const account =
    values.handle === undefined && platformsIn(intent).length > 0
      ? ACCOUNT.exec(rest)?.[1]
      : undefined
  if (account !== undefined) {
    add(values, 'handle', account)
    rest = without(rest, account)
  }
  const countText = counted?.[1] ?? counted?.[2]
  return {
    values,
    span,
    count:
      countText === undefined ? null : (NUMBER_WORDS[countText.toLowerCase()] ?? Number(countText)),
    country: country?.country ?? null,
    state: inAddress.state === '' ? (state?.code ?? null) : inAddress.state,
    masked: withObject(toPlainWords(without(without(rest, country?.text), state?.text)), values),
    bare: collapseSpaces(without(without(intent, span?.text), counted?.[0])),
  }
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
    /,\s*([\p{L} .'-]{2,40}?),?\s+([A-Z]{2})(?:\s+(\d{5}))?(?:-\d{4})?$/u.exec(address ?? '') ?? []
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
    state: newer.state ?? older.state,
  }
}

function add(values: Partial<Record<EntityKind, string[]>>, kind: EntityKind, value: string): void {
  if (value !== '' && values[kind]?.includes(value) !== true)
    values[kind] = [...(values[kind] ?? []), value]
}

function without(text: string, part: string | undefined): string {
  return part === undefined || part === '' ? text : text.replace(part, ' ')
}
