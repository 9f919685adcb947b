import type { Found } from './find-people.ts'
import type { NamedPerson } from './person-query.ts'

/** Hits to request for one person. Leaves space for namesakes. */
export const HITS_FOR_ONE = 10

/**
 * The hit with the person's name, preferably at the named company. Null if no hit has the name: a
 * different person would be worse than no result.
 */
export function matchPerson(person: NamedPerson, hits: readonly Found[]): Found | null {
  const scored = hits
    .map((hit) => ({ hit, score: scoreOf(person, hit) }))
    .filter(({ score }) => score > 0)
  const best = Math.max(...scored.map(({ score }) => score))
  return scored.find(({ score }) => score === best)?.hit ?? null
}

/**
 * The person in a query without a separator between name and company ("Ana Example Acme"). Such a
 * query may also describe people, so a hit must have exactly this name and company.
 */
export function findUnmarkedName(query: string, hits: readonly Found[]): NamedPerson | null {
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
  const wanted = joined(companyWords(company))
  return (
    joined(wordsOf(name)) === joined(wordsOf(facts.name ?? '')) &&
    wanted !== '' &&
    [facts.company ?? '', ...employers].some(
      (employer) => joined(companyWords(employer)) === wanted,
    )
  )
}

const FULL_NAME = 4
const FAMILY_NAME = 2
const COMPANY = 1

function scoreOf({ name, company }: NamedPerson, hit: Found): number {
  const words = wordsOf(name)
  const theirs = wordsOf(hit.facts.name ?? hit.headline)
  const atCompany = isAt(company, hit) ? COMPANY : 0
  if (words.length > 0 && words.every((word) => theirs.includes(word))) return FULL_NAME + atCompany
  if (joined(words) !== '' && joined(words) === joined(theirs)) return FULL_NAME + atCompany
  const family = words.at(-1)
  if (family === undefined || !theirs.includes(family)) return 0
  // "Bob" and "Robert": the family name counts with the same initial or the same company.
  const sameInitial = words[0]?.charAt(0) === theirs[0]?.charAt(0)
  return sameInitial || atCompany > 0 ? FAMILY_NAME + atCompany : 0
}

const LEGAL_FORM =
  /^(?:inc|llc|ltd|limited|gmbh|ag|sa|sas|sarl|srl|bv|nv|ab|oy|plc|corp|corporation|co|company|group|holding|holdings|the)$/

function isAt(company: string, { employers, headline }: Found): boolean {
  const wanted = joined(companyWords(company))
  if (wanted === '') return false
  return (
    employers.some((employer) => {
      const theirs = joined(companyWords(employer))
      return theirs !== '' && (theirs.includes(wanted) || wanted.includes(theirs))
    }) || joined(wordsOf(headline)).includes(wanted)
  )
}

/** The words of a company's name or domain, without the legal form. */
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
