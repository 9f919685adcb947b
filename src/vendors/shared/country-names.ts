/** Names of countries, for vendors that take no codes. */

/** Where the name that vendors know differs from the one of the Unicode tables. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  CZ: 'Czech Republic',
  HK: 'Hong Kong',
  MO: 'Macau',
  TR: 'Turkey',
}

let regionNames: Intl.DisplayNames | undefined

/** The English name of a two-letter code, undefined when it is no country's. */
export function countryName(code: string): string | undefined {
  if (!/^[a-z]{2}$/i.test(code)) return undefined
  regionNames ??= new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })
  const region = code.toUpperCase()
  return OTHER_NAMES[region] ?? regionNames.of(region)?.replace(' & ', ' and ')
}
