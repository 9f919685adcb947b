/** Checks that the cited passages state what a sentence with citations states. */
import { contentTermsOf, termsOf } from './terms.ts'

export type Supported = {
  /** The supported statements; empty if more than half of the statements are not supported. */
  readonly text: string
  /** The cited numbers, in the order of their first use. */
  readonly numbers: readonly number[]
  readonly kept: number
  readonly dropped: number
}

/** No answer is longer. Bounds the time for text of a hostile page that a model repeats. */
const MAX_ANSWER_CHARS = 8_000
/** As much as a model reads. */
export const MAX_PASSAGE_CHARS = 6_000
const NUMBERS = /\[(\d{1,3}(?:, ?\d{1,3}){0,20})\]/g
const FIGURE = /\d+(?:[.,]\d+)*/g
const WORD = /[\p{L}\p{N}][\p{L}\p{N}’'-]*/gu
const SENTENCE_START = /[.!?:»"“(*•-]/
/** The share of its words that a statement without figures and names needs in its passages. */
const LEAST_OVERLAP = 0.8

/**
 * Drops statements without a citation, and those whose figures or names are not in the passages that
 * they cite. `passages` are numbered from 1.
 */
export function keepSupported(answer: string, passages: readonly string[]): Supported {
  const { statements, rest } = splitStatements(answer.slice(0, MAX_ANSWER_CHARS))
  const facts = new Map<number, Facts>()
  const factsOf = (number: number): readonly Facts[] => {
    const passage = passages[number - 1]
    if (passage === undefined) return []
    const known = facts.get(number) ?? readFacts(passage)
    facts.set(number, known)
    return [known]
  }
  const kept = statements.filter((statement) =>
    isSupported(statement, numbersOf(statement).flatMap(factsOf)),
  )
  const dropped = statements.length - kept.length + (/[\p{L}\p{N}]{3}/u.test(rest) ? 1 : 0)
  if (kept.length === 0 || dropped > kept.length)
    return { text: '', numbers: [], kept: kept.length, dropped }
  const text = kept.join('').trim()
  return { text, numbers: [...new Set(numbersOf(text))], kept: kept.length, dropped }
}

/** Each statement ends with its citations and the punctuation after them: "It costs 5 euros [1][2]." */
function splitStatements(answer: string): {
  readonly statements: readonly string[]
  readonly rest: string
} {
  const statements: string[] = []
  let end = 0
  for (const { index, 0: marked } of answer.matchAll(NUMBERS)) {
    let after = index + marked.length
    while (/[\s.,;:!?]/.test(answer.charAt(after))) after += 1
    const text = answer.slice(end, after)
    const isFurther = !/[\p{L}\p{N}]/u.test(answer.slice(end, index))
    if (isFurther && statements.length > 0) statements[statements.length - 1] += text
    else statements.push(text)
    end = after
  }
  return { statements, rest: answer.slice(end) }
}

export function numbersOf(text: string): number[] {
  return [...text.matchAll(NUMBERS)].flatMap(([, list = '']) => list.split(',').map(Number))
}

type Facts = { readonly figures: ReadonlySet<string>; readonly words: ReadonlySet<string> }

function readFacts(passage: string): Facts {
  const text = passage.slice(0, MAX_PASSAGE_CHARS)
  return { figures: new Set(figuresOf(text)), words: new Set(termsOf(text, MAX_PASSAGE_CHARS)) }
}

function isSupported(statement: string, cited: readonly Facts[]): boolean {
  if (cited.length === 0) return false
  const text = statement.replace(NUMBERS, ' ')
  const isKnown = (term: string): boolean => cited.some(({ words }) => words.has(term))
  const names = namesOf(text)
  const figures = figuresOf(text)
  if (figures.length + names.length > 0)
    return (
      figures.every((figure) => cited.some((one) => one.figures.has(figure))) &&
      names.every((name) => termsOf(name).every(isKnown))
    )
  const words = contentTermsOf(text)
  return words.length > 0 && words.filter(isKnown).length >= words.length * LEAST_OVERLAP
}

/** Words with a capital within a sentence, and abbreviations. */
function namesOf(text: string): readonly string[] {
  return [...text.matchAll(WORD)].flatMap(({ index, 0: word }) => {
    if (!/^\p{Lu}/u.test(word)) return []
    const isAbbreviation = /^\p{Lu}{2,}$/u.test(word)
    const before = text.slice(Math.max(0, index - 4), index).trimEnd()
    const isFirst = before === '' || SENTENCE_START.test(before.slice(-1))
    return isAbbreviation || !isFirst ? [word] : []
  })
}

/** In one spelling: "1,000" and "1.000" are the same figure, and so are "1,5" and "1.5", but not "15". */
function figuresOf(text: string): string[] {
  return (text.match(FIGURE) ?? []).map((figure) =>
    figure.replaceAll(/[.,](?=\d{3}(?!\d))/g, '').replaceAll(',', '.'),
  )
}
