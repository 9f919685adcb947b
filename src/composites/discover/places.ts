/** Finds countries and US states in their common spellings. */

const CODES =
  'US USA GB GBR CA CAN AU AUS NZ NZL IE IRL DE DEU AT AUT CH CHE FR FRA BE BEL NL NLD LU LUX ES ESP PT PRT IT ITA GR GRC DK DNK SE SWE NO NOR FI FIN IS ISL PL POL CZ CZE SK SVK HU HUN RO ROU BG BGR ' +
  'HR HRV SI SVN RS SRB UA UKR EE EST LV LVA LT LTU TR TUR IL ISR AE ARE SA SAU QA QAT EG EGY MA MAR ZA ZAF NG NGA KE KEN GH GHA IN IND PK PAK BD BGD LK LKA CN CHN HK HKG TW TWN JP JPN KR KOR ' +
  'SG SGP MY MYS ID IDN TH THA VN VNM PH PHL BR BRA AR ARG CL CHL CO COL PE PER MX MEX UY URY CR CRI RU RUS'

export type Country = { readonly name: string; readonly alpha2: string; readonly alpha3: string }

const codes = CODES.split(' ')
const names = new Intl.DisplayNames(['en'], { type: 'region' })
const countries: readonly Country[] = codes.flatMap((alpha2, at) =>
  at % 2 === 0 ? [{ alpha2, alpha3: codes[at + 1] ?? '', name: names.of(alpha2) ?? alpha2 }] : [],
)

const OTHER_NAMES: Readonly<Record<string, string>> = {
  usa: 'US',
  'u.s.': 'US',
  'u.s.a.': 'US',
  america: 'US',
  american: 'US',
  uk: 'GB',
  'u.k.': 'GB',
  britain: 'GB',
  'great britain': 'GB',
  england: 'GB',
  british: 'GB',
  german: 'DE',
  austrian: 'AT',
  swiss: 'CH',
  french: 'FR',
  belgian: 'BE',
  dutch: 'NL',
  holland: 'NL',
  spanish: 'ES',
  portuguese: 'PT',
  italian: 'IT',
  greek: 'GR',
  danish: 'DK',
  swedish: 'SE',
  norwegian: 'NO',
  finnish: 'FI',
  polish: 'PL',
  czech: 'CZ',
  'czech republic': 'CZ',
  hungarian: 'HU',
  romanian: 'RO',
  ukrainian: 'UA',
  turkish: 'TR',
  turkey: 'TR',
  israeli: 'IL',
  emirati: 'AE',
  uae: 'AE',
  indian: 'IN',
  chinese: 'CN',
  japanese: 'JP',
  korean: 'KR',
  'south korea': 'KR',
  brazilian: 'BR',
  mexican: 'MX',
  canadian: 'CA',
  australian: 'AU',
  irish: 'IE',
  lithuanian: 'LT',
  latvian: 'LV',
  estonian: 'EE',
  slovenian: 'SI',
  slovak: 'SK',
  croatian: 'HR',
  bulgarian: 'BG',
  serbian: 'RS',
  icelandic: 'IS',
  'hong kong': 'HK',
  russian: 'RU',
}

const byName = new Map<string, Country>()
for (const country of countries) byName.set(country.name.toLowerCase(), country)
for (const [name, code] of Object.entries(OTHER_NAMES)) {
  const country = countries.find(({ alpha2 }) => alpha2 === code)
  if (country !== undefined) byName.set(name, country)
}

const STATES =
  'Alabama AL,Alaska AK,Arizona AZ,Arkansas AR,California CA,Colorado CO,Connecticut CT,Delaware DE,Florida FL,Georgia GA,Hawaii HI,Idaho ID,Illinois IL,Indiana IN,Iowa IA,Kansas KS,Kentucky KY,Louisiana LA,' +
  'Maine ME,Maryland MD,Massachusetts MA,Michigan MI,Minnesota MN,Mississippi MS,Missouri MO,Montana MT,Nebraska NE,Nevada NV,New Hampshire NH,New Jersey NJ,New Mexico NM,New York NY,North Carolina NC,' +
  'North Dakota ND,Ohio OH,Oklahoma OK,Oregon OR,Pennsylvania PA,Rhode Island RI,South Carolina SC,South Dakota SD,Tennessee TN,Texas TX,Utah UT,Vermont VT,Virginia VA,Washington WA,West Virginia WV,Wisconsin WI,Wyoming WY'

const stateCodes = new Map(
  STATES.split(',').map((entry) => [entry.slice(0, -3).toLowerCase(), entry.slice(-2)]),
)
const knownStateCodes = new Set(stateCodes.values())

const namePattern = compileWords([...byName.keys()])
const statePattern = compileWords([...stateCodes.keys()])

/** The names of countries and their adjectives. */
export function countryWords(): readonly string[] {
  return [...byName.keys()]
}

export function findCountry(
  text: string,
): { readonly country: Country; readonly text: string } | null {
  const written = namePattern.exec(text)?.[0] ?? /\b(?:US|UK|EU)\b/.exec(text)?.[0]
  const country =
    written === undefined
      ? undefined
      : (byName.get(written.toLowerCase()) ?? countries.find(({ alpha2 }) => alpha2 === written))
  return written === undefined || country === undefined ? null : { country, text: written }
}

/** The code of a US state: of its name, or after a comma or a place ("Austin, TX"). */
export function findState(text: string): { readonly code: string; readonly text: string } | null {
  const code = (/,\s*([A-Z]{2})\b/.exec(text) ??
    /\b(?:in|near|around) [A-Z][\p{L}.'-]{2,20}(?: [A-Z][\p{L}.'-]{2,20})? ([A-Z]{2})\b/u.exec(
      text,
    ))?.[1]
  if (code !== undefined && knownStateCodes.has(code)) return { code, text: code }
  const name = statePattern.exec(text)?.[0]
  const found = name === undefined ? undefined : stateCodes.get(name.toLowerCase())
  return name === undefined || found === undefined ? null : { code: found, text: name }
}

function compileWords(words: readonly string[]): RegExp {
  const escaped = words
    .toSorted((a, b) => b.length - a.length)
    .map((word) => word.replaceAll('.', '\\.'))
  return new RegExp(`(?<![\\w-])(?:${escaped.join('|')})(?![\\w-])`, 'i')
}
