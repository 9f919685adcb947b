/** Groups of synonyms. A synonym counts less than the word itself. */
import { stem } from './stem.ts'

const GROUPS: readonly string[] = [
  'scrape crawl fetch extract read download',
  'page site website url link html',
  'search query lookup',
  'people person contact profile lead human',
  'company firm business organization employer startup corporation enterprise',
  'email mail inbox mailbox',
  'phone telephone mobile',
  'price cost quote valuation worth odds',
  'job vacancy hiring career recruitment position opening',
  'news headline press',
  'image picture photo drawing logo png',
  'video clip movie footage',
  'audio speech voice',
  'music song tune melody beat',
  'transcript subtitle caption transcription',
  'currency forex fx',
  'vulnerability cve exploit',
  'medicine drug medication pill',
  'car vehicle automobile auto',
  'charity nonprofit ngo',
  'law regulation statute legislation',
  'tariff duty customs',
  'parcel shipment shipping delivery',
  'holder owner own',
  'machine server vm box',
  'vector embedding',
  'certificate ssl tls',
  'scam fraud phishing malicious',
  'salary pay wage',
  'bank iban bic',
  'chat ask answer',
  'git repo repository',
  'house home property realestate apartment flat condo',
  'lawsuit court case litigation docket',
  'crypto blockchain token onchain web3 defi',
  'stock equity ticker share',
  'sanction watchlist pep aml',
  'paper scholar academic research publication study',
  'blocked antibot captcha cloudflare unblock wall',
  'javascript js dynamic headless browser chromium',
  'markdown md text content',
  'sandbox execute run code',
  'file document storage',
  'tweet twitter x',
  'sitemap map discover',
  'verify validate check valid real deliverable',
  'patent invention',
  'acquisition acquire merger takeover buyout bought',
  'funding investment raise investor',
]

/** Words that also match a broader word, but not the reverse. */
const BROADER: Readonly<Record<string, string>> = {
  people:
    'who manager engineer director founder ceo cto cfo executive developer recruiter marketer designer employee staff vp vps cmo coo president',
  company: 'competitor supplier agency brand limited ltd gmbh',
  register: 'registration registered incorporated incorporation',
  text: 'paragraph sentence passage essay poem letter',
  page: 'article blog homepage',
  news: 'latest today breaking',
}

export const SYNONYM_WEIGHT = 0.6

const byTerm = new Map<string, Set<string>>()
for (const group of GROUPS) {
  const terms = group.split(' ').map(stem)
  for (const term of terms)
    byTerm.set(
      term,
      new Set([...(byTerm.get(term) ?? []), ...terms.filter((other) => other !== term)]),
    )
}
for (const [broad, narrow] of Object.entries(BROADER)) {
  for (const term of narrow.split(' ').map(stem))
    byTerm.set(term, new Set([...(byTerm.get(term) ?? []), stem(broad)]))
}

export function synonymsOf(term: string): ReadonlySet<string> {
  return byTerm.get(term) ?? NONE
}

const NONE: ReadonlySet<string> = new Set()
