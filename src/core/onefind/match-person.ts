import type { Found } from './find-people.ts'
import type { NamedPerson } from './person-query.ts'

/** Hits among which one person is looked for: enough for some namesakes. */
export const HITS_FOR_ONE = 10

/**
 * Whom the caller means: the hit whose name is the one asked for, by preference at the company asked for. Null when
 * nobody of that name is among the hits: somebody else is worse than no answer.
 */
export function matchPerson(person: NamedPerson, hits: readonly Found[]): Found | null {
  const scored = hits.map((hit) => ({ hit, score: scoreOf(person, hit) })).filter(({ score }) => score > 0)
  const best = Math.max(...scored.map(({ score }) => score))
  return scored.find(({ score }) => score === best)?.hit ?? null
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

const LEGAL_FORM = /^(?:inc|llc|ltd|limited|gmbh|ag|sa|sas|sarl|srl|bv|nv|ab|oy|plc|corp|corporation|co|company|group|holding|holdings|the)$/

function isAt(company: string, { employers, headline }: Found): boolean {
  const asked = joined(companyWords(company))
  if (asked === '') return false
  return employers.some((employer) => {
    const theirs = joined(companyWords(employer))
    return theirs !== '' && (theirs.includes(asked) || asked.includes(theirs))
  }) || joined(wordsOf(headline)).includes(asked)
}

/** A company may be named by its domain. */
function companyWords(company: string): string[] {
  const words = wordsOf(company.replace(/^(?:https?:\/\/)?(?:www\.)?([\p{L}\p{N}-]+)\.[\p{L}.]{2,12}$/iu, '$1'))
  const own = words.filter((word) => !LEGAL_FORM.test(word))
  return own.length > 0 ? own : words
}

function wordsOf(text: string): string[] {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll(/['’.]/g, '')
  return plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
}

function joined(words: readonly string[]): string {
  return words.join('')
}
