import { isAlsoName, isDescriptionWord, looksLikeTrade } from './description-words.ts'

/** A person named by a query. */
export type NamedPerson = { readonly name: string; readonly company: string }

/**
 * Parses a name with a company: "Ana Example at Acme", "Ana Example, CTO, Acme", "Ana Example (Acme)".
 * Null for a description of people.
 */
export function parsePersonQuery(text: string): NamedPerson | null {
  const bare = bareText(text)
  if (bare.length > MAX_CHARACTERS) return null
  const { name, rest, isExplicit } = split(bare)
  const person = withoutTitles(name)
  const company = parseCompany(rest)
  if (company === null || !isName(person, isExplicit)) return null
  return { name: person, company }
}

/**
 * Parses a row, which always names one person. Accepts lower case; without a separator the first two
 * words are the name. Null if the name or the company is missing.
 */
export function parsePersonRow(text: string): NamedPerson | null {
  const bare = bareText(text)
  const { name, rest } = split(bare)
  const words = withoutTitles(name)
    .split(' ')
    .filter((word) => word !== '')
  const isSpelled = words.length >= MIN_WORDS || HAS_NO_SPACES.test(words.join(''))
  const company = parseCompany(rest) ?? rest.split(MARK)[0]?.trim() ?? ''
  if (rest !== '') return isSpelled && company !== '' ? { name: words.join(' '), company } : null
  return words.length > MIN_WORDS
    ? { name: words.slice(0, MIN_WORDS).join(' '), company: words.slice(MIN_WORDS).join(' ') }
    : null
}

function bareText(text: string): string {
  return withoutLeadIn(text.normalize('NFKC').replaceAll(/\s+/g, ' ').trim())
}

const MAX_CHARACTERS = 200

const LEAD_IN =
  /^(?:please|can you|could you|find|look ?up|search(?: for)?|get|show|give|tell|enrich|identify|me|us|(?:who|what)(?: is|'s|’s)|(?:the )?(?:contact(?: details| info| information)?|e-?mail(?: address)?|phone(?: number)?|linkedin|profile|linkedin profile|details|info)(?: and (?:e-?mail|phone|linkedin|phone number))?(?: of| for)|about)[\s:]+/i

function withoutLeadIn(text: string): string {
  let bare = text
  for (let before = ''; before !== bare;) {
    before = bare
    bare = bare.replace(LEAD_IN, '')
  }
  return bare.replace(/[?!.]+$/, '')
}

/** Words that connect a person with an employer. */
const AT =
  /\s+(?:who (?:works|worked|is) (?:at|for|with)|who runs|(?:currently )?work(?:s|ing) (?:at|for|with)|at|from|of|with|bei|chez|presso|bij|@)\s+|\s*@\s*/i
/** Separators of a name and a company. They also separate other things. */
const MARK = /\s*[,，、|;/·]\s*|\s+[-–—]\s+|\s*[(（]\s*/

function split(text: string): { name: string; rest: string; isExplicit: boolean } {
  const at = AT.exec(text)
  const mark = MARK.exec(text)
  const [first] = [at, mark].filter((match) => match !== null).sort((a, b) => a.index - b.index)
  if (first === undefined) return { name: text, rest: '', isExplicit: false }
  return {
    name: text.slice(0, first.index),
    rest: text.slice(first.index + first[0].length).replace(/[)）]\s*$/, ''),
    isExplicit: at !== null,
  }
}

/** The company in "CTO at Acme" or "CTO, Acme, Berlin": the first part that is not only roles and places. */
function parseCompany(rest: string): string | null {
  const last = rest.split(AT).at(-1) ?? ''
  const parts = last.split(MARK).map((part) =>
    part
      .replace(/^(?:the|a|an)\s+/i, '')
      .replace(/[)）"'.]+$/, '')
      .trim(),
  )
  return (
    parts.find(
      (part) => part !== '' && part.length <= 100 && !part.split(' ').every(isDescriptionWord),
    ) ?? null
  )
}

const TITLES =
  /^(?:mr|mrs|ms|miss|dr|prof|professor|sir|dame|herr|frau|ceo|cto|cfo|coo|cmo|cio|vp|founder|co-founder|cofounder|president|chairman)\.?\s+(?=\S+\s+\S)/i

function withoutTitles(name: string): string {
  const bare = name.replace(TITLES, '').trim()
  return bare === name.trim() ? bare : withoutTitles(bare)
}

const PARTICLE =
  /^(?:de|del|della|da|dos|das|du|di|la|le|van|von|der|den|ter|ten|zu|bin|ibn|al|el|y|e|st)$/i
/** A name in a script without a space between given and family name. */
const HAS_NO_SPACES = /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Katakana}・]{2,8}$/u
const MIN_WORDS = 2
const MAX_WORDS = 5

function isName(name: string, isExplicit: boolean): boolean {
  const words = name.split(' ')
  if (words.length === 1) return HAS_NO_SPACES.test(name)
  if (words.length < MIN_WORDS || words.length > MAX_WORDS) return false
  if (!words.every((word) => /^\p{L}[\p{L}\p{M}'’.-]*$/u.test(word))) return false
  const own = words.filter((word) => !PARTICLE.test(word))
  const doubtful = own.filter(isDescriptionWord)
  if (own.length < MIN_WORDS || doubtful.length > 1 || !doubtful.every(isAlsoName)) return false
  const isCapitalised = own.every(
    (word) =>
      word.charAt(0) !== word.charAt(0).toLowerCase() ||
      word.charAt(0) === word.charAt(0).toUpperCase(),
  )
  return (
    isCapitalised ||
    (isExplicit &&
      doubtful.length === 0 &&
      name === name.toLowerCase() &&
      !own.some(looksLikeTrade))
  )
}
