/** Finds people, companies and places by capital letters and the surrounding words. */

export type Name = { readonly kind: 'person' | 'company' | 'place'; readonly text: string }

const WORD = String.raw`[\p{Lu}][\p{L}\d'’&.-]{0,30}`
const JOINER = String.raw`(?:of|and|&|de|van|von|der|da|di|bin|al|la)`
const PHRASE = new RegExp(
  String.raw`(?<![\p{L}\d]|\d-)(${WORD}(?:(?: ${JOINER}){0,2} ${WORD}){0,3})`,
  'gu',
)
const COMPANY_ENDING =
  /(?:^|\s)(?:inc|corp|corporation|ltd|llc|llp|gmbh|ag|sa|plc|co|company|group|holdings|labs|technologies|systems|bank|university|foundation|capital|partners|ventures|motors|airlines|pharma|therapeutics|software|industries)\.?$/i
/** Capitalised words that are not names. */
const NOT_NAMES = new Set(
  (
    'i find get give search look show tell list check verify read scrape fetch extract crawl map summarize summarise generate make create draw render who what where when which how is are does do can could please ' +
    'latest recent all any every some the a an in on for of from with about and or my our me us it its their his her this that need want help turn translate convert screen estimate start run open send upload store ' +
    'linkedin tiktok instagram youtube twitter reddit facebook github google wikipedia x sec edgar ceo cto cfo coo cmo vp hr seo api pdf html json url ip ai ml nlp us usa uk eu series python node javascript typescript linux ' +
    'january february march april may june july august september october november december monday tuesday wednesday thursday friday saturday sunday mr mrs ms dr cik ein npi ndc vin doi zip markdown cloudflare datadome shopify ' +
    'saas b2b b2c fintech biotech healthtech crm erp iot vat iban bic swift lei isbn cve ssl dns gpu cpu usd eur gbp llm gpt compare discover resolve solve track download transcribe pull take then also monday news people companies papers patents trials form forms english german french spanish'
  ).split(' '),
)
const COMPANY_CUE =
  /\b(?:at|by|company|firm|startup|called|named|employer|acquired|sued|competitors of|customers of|employees of|jobs at|work(?:s|ing)? (?:at|for)|versus|vs\.?|against|invested in|investors? in|funders of|lookalikes (?:of|for)|similar to|like|filings (?:of|by|for|from)|reviews (?:of|for|about))\s*$/i
const PLACE_CUE = /\b(?:in|near|around|based in|located in|from|within)\s*$/i
const PERSON_CUE =
  /\b(?:person|author|ceo|founder|judge|inventor|mr\.?|mrs\.?|ms\.?|dr\.?|named|whether|screen|lead)\s*$/i

/** An employer in lower case: "works at acme". */
const EMPLOYER =
  /\b[Ww]ork(?:s|ing)? (?:at|for) ([a-z][\w&-]{1,30})(?=\s+(?:as|in|on|with|and|who|near)\b|\s*[,?.!]|\s*$)/g
/** Words in the position of an employer that are places, times or references to an earlier name. */
const NO_EMPLOYER = new Set(
  'a an the my our your this that these those any some all home night least large big small university school hospital government url email domain linkedin profile companies startups banks firms agencies universities schools hospitals themselves himself herself us them him her it free money fun'.split(
    ' ',
  ),
)

export function findNames(text: string): Name[] {
  const employers = [...text.matchAll(EMPLOYER)].flatMap(([, name = '']): Name[] =>
    NO_EMPLOYER.has(name) || name.endsWith('s') ? [] : [{ kind: 'company', text: name }],
  )
  return [...employers, ...capitalisedNames(text)]
}

function capitalisedNames(text: string): Name[] {
  return [...text.matchAll(PHRASE)].flatMap((match) => {
    const phrase = trimPhrase(match[1] ?? '')
    if (phrase === '') return []
    const start = match.index + (match[1] ?? '').indexOf(phrase)
    return [
      {
        kind: kindOf(
          phrase,
          text.slice(Math.max(0, start - 40), start),
          text.slice(start + phrase.length, start + phrase.length + 30),
        ),
        text: phrase,
      },
    ]
  })
}

/** Removes words at both ends that do not belong to a name. */
function trimPhrase(phrase: string): string {
  const words = phrase.replace(/[.,'’&-]+$/, '').split(' ')
  while (words.length > 0 && isNoName(words[0])) words.shift()
  while (words.length > 0 && isNoName(words.at(-1))) words.pop()
  const name = words.join(' ').replace(/['’]s$/, '')
  // "Series B", "plan C".
  return name.length === 1 ? '' : name
}

/** "CTOs", "SVPs". */
const TITLES = /^(?:c[a-z]{1,2}os?|[es]?vps?)$/i

function isNoName(word: string | undefined): boolean {
  if (TITLES.test(word ?? '')) return true
  return (
    NOT_NAMES.has((word ?? '').toLowerCase().replace(/['’]s$|[.,]$/g, '')) ||
    !/^\p{Lu}/u.test(word ?? '')
  )
}

function kindOf(phrase: string, before: string, after: string): Name['kind'] {
  const words = phrase.split(' ')
  if (COMPANY_ENDING.test(phrase) || COMPANY_CUE.test(before)) return 'company'
  if (PLACE_CUE.test(before) && !/^\s*(?:inc|corp)/i.test(after)) return 'place'
  const looksLikePerson =
    words.length >= 2 &&
    words.length <= 4 &&
    words.every((word) =>
      /^(?:\p{Lu}[\p{Ll}'’-]+(?:-?\p{Lu}[\p{Ll}'’-]+)*|\p{Lu}\.|de|van|von|der|da|di|bin|al|la)$/u.test(
        word,
      ),
    )
  return looksLikePerson || PERSON_CUE.test(before) ? 'person' : 'company'
}
