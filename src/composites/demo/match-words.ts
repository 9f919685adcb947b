import { SYNONYM_WEIGHT, synonymsOf } from '../discover/synonyms.ts'
import { tokenize } from '../discover/tokenize.ts'

const COMMON = new Set(
  tokenize(
    'show demo video page website site product explain present find see open click tour visitor visit user people new how work get go start',
  ),
)

/** How many different words of the wish are in the text, synonyms counting less; words that every wish has do not count. */
export function matchesOf(wish: string, text: string): number {
  const wanted = new Set(tokenize(wish).filter((word) => !COMMON.has(word)))
  if (wanted.size === 0) return 0
  const there = new Set(tokenize(text))
  return [...wanted].reduce(
    (sum, word) =>
      sum +
      (there.has(word)
        ? 1
        : [...synonymsOf(word)].some((other) => there.has(other))
          ? SYNONYM_WEIGHT
          : 0),
    0,
  )
}
