/** Countries beyond those with three-letter codes in the search, by their English names. */
import { findCountry, type Country } from '../../discover/places.ts'

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

const MOST_COUNTRIES = 10

/** The countries that a text names, in order. */
export function countriesIn(text: string): { readonly country: Country; readonly text: string }[] {
  const found: { readonly country: Country; readonly text: string }[] = []
  let rest = text
  for (let one = countryIn(rest); one !== null; one = countryIn(rest)) {
    found.push(one)
    if (found.length === MOST_COUNTRIES) break
    rest = rest.replace(one.text, ' ')
  }
  return found
}

/** The first country that a text names. `alpha3` is '' for countries without a known one. */
function countryIn(text: string): { readonly country: Country; readonly text: string } | null {
  const known = findCountry(text)
  if (known !== null) return known
  const written = otherNames.exec(text)?.[0]
  const code = others.get((written ?? '').toLowerCase())
  if (written === undefined || code === undefined) return null
  if (AMBIGUOUS.has(written.toLowerCase()) && !new RegExp(`\\bin ${written}\\b`, 'i').test(text))
    return null
  return { country: { name: names.of(code) ?? written, alpha2: code, alpha3: '' }, text: written }
}
