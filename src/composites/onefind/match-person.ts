import type { Found } from './find-people.ts'
import type { NamedPerson } from './person-query.ts'

/** Hits among which one person is looked for: enough for some namesakes. */
export const HITS_FOR_ONE = 10

/**
 * Whom the caller means: the hit whose name is the one asked for, by preference at the company asked for. Null when
 * nobody of that name is among the hits: somebody else is worse than no answer.
 */
export function matchPerson(person: NamedPerson, hits: readonly Found[]): Found | null {
  const scored = hits
    .map((hit) => ({ hit, score: scoreOf(person, hit) }))
    .filter(({ score }) => score > 0)
  const best = Math.max(...scored.map(({ score }) => score))
  return scored.find(({ score }) => score === best)?.hit ?? null
}

/**
 * The person whom a query names with nothing between name and company ("Ana Example Acme"). Such words may as well
 * describe people; only a hit of exactly that name at exactly that company tells.
 */
export function namedWithoutMark(query: string, hits: readonly Found[]): NamedPerson | null {
  const parts = query.normalize('NFKC').trim().split(/\s+/)
  for (let at = LEAST_NAME_PARTS; at < Math.min(parts.length, MOST_PARTS); at += 1) {
    const person = { name: parts.slice(0, at).join(' '), company: parts.slice(at).join(' ') }
    if (hits.some((hit) => isExactly(person, hit))) return person
  }
  return null
}

const LEAST_NAME_PARTS = 2
const MOST_PARTS = 8

function isExactly({ name, company }: NamedPerson, { facts, employers }: Found): boolean {
  const asked = joined(companyWords(company))
  return (
    joined(wordsOf(name)) === joined(wordsOf(facts.name ?? '')) &&
    asked !== '' &&
    [facts.company ?? '', ...employers].some((employer) => joined(companyWords(employer)) === asked)
  )
}

const FULL_NAME = 4
const FAMILY_NAME = 2
const COMPANY = 1

function scoreOf({ name, company }: NamedPerson, hit: Found): number {
  const asked = wordsOf(name)
  const theirs = wordsOf(hit.facts.name ?? hit.headline)
  const atCompany = isAt(company, hit) ? COMPANY : 0
  if (asked.length > 0 && asked.every((word) => theirs.includes(word))) return FULL_NAME + atCompany
  if (joined(asked) !== '' && joined(asked) === joined(theirs)) return FULL_NAME + atCompany
  const family = asked.at(-1)
  if (family === undefined || !theirs.includes(family)) return 0
  // "Bob" and "Robert" differ; the family name counts with the same initial, or at the same company.
  const sameInitial = asked[0]?.charAt(0) === theirs[0]?.charAt(0)
  return sameInitial || atCompany > 0 ? FAMILY_NAME + atCompany : 0
}

const LEGAL_FORM =
  /^(?:inc|llc|ltd|limited|gmbh|ag|sa|sas|sarl|srl|bv|nv|ab|oy|plc|corp|corporation|co|company|group|holding|holdings|the)$/

function isAt(company: string, { employers, headline }: Found): boolean {
  const asked = joined(companyWords(company))
  if (asked === '') return false
  return (
    employers.some((employer) => {
      const theirs = joined(companyWords(employer))
      return theirs !== '' && (theirs.includes(asked) || asked.includes(theirs))
    }) || joined(wordsOf(headline)).includes(asked)
  )
}

/** A company may be named by its domain. */
function companyWords(company: string): string[] {
  const words = wordsOf(
    company.replace(/^(?:https?:\/\/)?(?:www\.)?([\p{L}\p{N}-]+)\.[\p{L}.]{2,12}$/iu, '$1'),
  )
  const own = words.filter((word) => !LEGAL_FORM.test(word))
  return own.length > 0 ? own : words
}

function wordsOf(text: string): string[] {
  const plain = text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/['’.]/g, '')
  return plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
}

function joined(words: readonly string[]): string {
  return words.join('')
}
