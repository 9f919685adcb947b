/** Countries beyond those with three-letter codes in the search, by their English names. */
import { findCountry, type Country } from '../../discover/places.ts'
import { isEnglish } from './languages.ts'

const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })
const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
/** Codes that are not countries: the European Union, the United Nations, the euro area, test codes. */
const NO_COUNTRIES = new Set(['EU', 'UN', 'EZ', 'QO', 'XA', 'XB', 'ZZ'])
const others = new Map(
  letters.flatMap((first) =>
    letters.flatMap((second): [string, string][] => {
      const code = `${first}${second}`
      const name = NO_COUNTRIES.has(code) ? undefined : names.of(code)
      return name === undefined ? [] : [[name.toLowerCase(), code]]
    }),
  ),
)
const otherNames = new RegExp(
  String.raw`(?<![\p{L}-])(?:${[...others.keys()]
    .toSorted((a, b) => b.length - a.length)
    .map((name) => name.replaceAll(/[.()]/g, String.raw`\$&`))
    .join('|')})(?![\p{L}-])`,
  'iu',
)
/** Given names and US states that are also countries. */
const AMBIGUOUS = new Set(['georgia', 'jordan', 'chad', 'jersey', 'niger'])

/** Languages of the search. Names of Russian and Polish change their endings. */
const LANGUAGES = [
  'es',
  'pt',
  'fr',
  'de',
  'it',
  'pl',
  'ru',
  'tr',
  'ar',
  'hi',
  'zh',
  'ja',
  'ko',
  'id',
]
const WITH_ENDINGS = new Set(['pl', 'ru'])
const UNSPACED =
  /[\p{Script=Han}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Arabic}\p{Script=Devanagari}]/u
const LEAST_STEM = 5

let foreign: { readonly pattern: RegExp; readonly codes: ReadonlyMap<string, string> } | undefined

/** The names of all countries in fourteen languages. Built at the first intent in another language. */
function foreignNames(): NonNullable<typeof foreign> {
  foreign ??= buildForeignNames()
  return foreign
}

function buildForeignNames(): NonNullable<typeof foreign> {
  const codes = new Map<string, string>()
  const stems = new Set<string>()
  for (const language of LANGUAGES) {
    const translated = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' })
    for (const code of new Set(others.values())) {
      const name = translated.of(code)?.toLowerCase() ?? ''
      const isStem = WITH_ENDINGS.has(language) && name.length > LEAST_STEM
      const word = isStem ? name.slice(0, -1) : name
      if (name.length > 1) codes.set(word, code)
      if (isStem) stems.add(word)
    }
  }
  const words = [...codes.keys()].toSorted((a, b) => b.length - a.length)
  const oneOf = (isWanted: (word: string) => boolean): string =>
    words
      .filter(isWanted)
      .map((word) => RegExp.escape(word))
      .join('|')
  const isUnspaced = (word: string): boolean => UNSPACED.test(word)
  return {
    codes,
    pattern: new RegExp(
      String.raw`(?<!\p{L})(?:(${oneOf((word) => !isUnspaced(word) && !stems.has(word))})(?:['’]\p{L}{1,4})?|(${oneOf((word) => stems.has(word))})\p{L}{0,4})(?!\p{L})|(${oneOf(isUnspaced)})`,
      'iu',
    ),
  }
}

/** A country in another language than English. */
function foreignCountryIn(text: string): { readonly code: string; readonly text: string } | null {
  const { pattern, codes } = foreignNames()
  const found = pattern.exec(text)
  const name = (found?.[1] ?? found?.[2] ?? found?.[3] ?? '').toLowerCase()
  const code = codes.get(name)
  return found === null || code === undefined ? null : { code, text: found[0] }
}

const MOST_COUNTRIES = 10

/** The countries that a text names, in order. */
export function countriesIn(text: string): { readonly country: Country; readonly text: string }[] {
  const found: { readonly country: Country; readonly text: string }[] = []
  let rest = text
  const isForeign = !isEnglish(text)
  for (let one = countryIn(rest, isForeign); one !== null; one = countryIn(rest, isForeign)) {
    found.push(one)
    if (found.length === MOST_COUNTRIES) break
    rest = rest.replace(one.text, ' ')
  }
  return found
}

/** The first country that a text names. `alpha3` is '' for countries without a known one. */
function countryIn(
  text: string,
  isForeign: boolean,
): { readonly country: Country; readonly text: string } | null {
  const known = findCountry(text)
  if (known !== null) return known
  if (isForeign) {
    const translated = foreignCountryIn(text)
    const name = translated === null ? undefined : names.of(translated.code)
    if (translated !== null && name !== undefined)
      return {
        country: findCountry(name)?.country ?? { name, alpha2: translated.code, alpha3: '' },
        text: translated.text,
      }
  }
  const written = otherNames.exec(text)?.[0]
  const code = others.get((written ?? '').toLowerCase())
  if (written === undefined || code === undefined) return null
  if (AMBIGUOUS.has(written.toLowerCase()) && !new RegExp(`\\bin ${written}\\b`, 'i').test(text))
    return null
  return { country: { name: names.of(code) ?? written, alpha2: code, alpha3: '' }, text: written }
}
