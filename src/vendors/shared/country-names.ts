/** Country names, for vendors that accept no country codes. */

/** Names that differ between vendors and the Unicode tables. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  CZ: 'Czech Republic',
  HK: 'Hong Kong',
  MO: 'Macau',
  TR: 'Turkey',
}

let regionNames: Intl.DisplayNames | undefined

/** The English name of a two-letter country code; undefined for an unknown code. */
export function countryName(code: string): string | undefined {
  if (!/^[a-z]{2}$/i.test(code)) return undefined
  regionNames ??= new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })
  const region = code.toUpperCase()
  return OTHER_NAMES[region] ?? regionNames.of(region)?.replace(' & ', ' and ')
}
