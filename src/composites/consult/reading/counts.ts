/** The number of results that an intent asks for. */
import { NUMBER_WORDS } from './amounts.ts'

export const COUNT = new RegExp(
  String.raw`(?<!\b(?:phase|series|level|tier|type|form|part|version|stage|class|category|article|section|chapter|magnitude|page) )\b(?:(?:top|first|last|latest|newest|up to|at most|limit(?: of)?|maximum(?: of)?|max) )?(\d{1,4}|${Object.keys(NUMBER_WORDS).join('|')}) (?=(?:[\p{L}-]{2,20} ){0,3}(?:results?|people|persons|rows?|items?|hits?|papers?|articles?|stories|posts?|tweets?|replies|reviews?|videos?|images?|pictures?|photos?|variants?|companies|jobs?|postings?|filings?|cases?|patents?|pages?|listings?|profiles?|candidates|leads|contacts|records|comments?|followers|engineers|managers|founders|directors|developers|designers|recruiters|c[a-z]os|vps|heads|investors|startups|works|homes|studies|trials|links|sources|competitors|deals|charities|nonprofits)\b)|\b(?:top|limit|at most|max) (\d{1,4})\b`,
  'iu',
)

export function toCount([, first, second]: readonly (string | undefined)[]): number {
  const text = (first ?? second ?? '').toLowerCase()
  return NUMBER_WORDS[text] ?? Number(text)
}
