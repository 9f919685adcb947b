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

/** Text up to its citations: "It costs 5 euros [1][2]." */
const STATEMENT = /[^[\]]+(?:\[\d{1,3}(?:\s*,\s*\d{1,3})*\][\s.,;:!?]*)+/g
const NUMBERS = /\[(\d{1,3}(?:\s*,\s*\d{1,3})*)\]/g
const FIGURE = /\d+(?:[.,]\d+)*/g
/** A capital within a sentence, or an abbreviation. */
const NAME =
  /(?<![.!?:»"“(]\s*|^\s*[-*•]?\s*)(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{N}’'-]+|(?<![\p{L}\p{N}])\p{Lu}{2,}(?![\p{Ll}])/gu
/** The share of its words that a statement without figures and names needs in its passages. */
const LEAST_OVERLAP = 0.5

/**
 * Drops statements without a citation, and those whose figures or names are not in the passages that
 * they cite. `passages` are numbered from 1.
 */
export function keepSupported(answer: string, passages: readonly string[]): Supported {
  const statements = answer.match(STATEMENT) ?? []
  const rest = answer.replace(STATEMENT, '').trim()
  const kept = statements.filter((statement) => isSupported(statement, passages))
  const dropped = statements.length - kept.length + (/[\p{L}\p{N}]{3}/u.test(rest) ? 1 : 0)
  if (kept.length === 0 || dropped > kept.length)
    return { text: '', numbers: [], kept: kept.length, dropped }
  const text = kept.join('').trim()
  return { text, numbers: [...new Set(numbersOf(text))], kept: kept.length, dropped }
}

export function numbersOf(text: string): number[] {
  return [...text.matchAll(NUMBERS)].flatMap(([, list = '']) => list.split(',').map(Number))
}

function isSupported(statement: string, passages: readonly string[]): boolean {
  const cited = numbersOf(statement).flatMap((number) => passages[number - 1] ?? [])
  if (cited.length === 0) return false
  const text = statement.replace(NUMBERS, ' ')
  const source = cited.join('\n')
  const figures = new Set(figuresOf(source))
  const known = new Set(termsOf(source))
  const names = text.match(NAME) ?? []
  const stated = figuresOf(text)
  if (stated.length + names.length > 0)
    return (
      stated.every((figure) => figures.has(figure)) &&
      names.every((name) => termsOf(name).every((term) => known.has(term)))
    )
  const words = contentTermsOf(text)
  return (
    words.length > 0 &&
    words.filter((word) => known.has(word)).length >= words.length * LEAST_OVERLAP
  )
}

/** Without separators, so that "1,000" and "1.000" are the same figure. */
function figuresOf(text: string): string[] {
  return (text.match(FIGURE) ?? []).map((figure) => figure.replaceAll(/[.,]/g, ''))
}
