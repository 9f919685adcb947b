import { SYNONYM_WEIGHT, synonymsOf } from '../discover/synonyms.ts'
import { tokenize } from '../discover/tokenize.ts'

/** Words of most requests, which do not distinguish pages. */
const COMMON = new Set(
  tokenize(
    'show demo video page website site product explain present find see open click tour visitor visit user people new how work get go start',
  ),
)

/** Counts the distinct words of `request` in a text. Synonyms count less, common words not at all. */
export function countMatches(request: string, text: string): number {
  const wanted = new Set(tokenize(request).filter((word) => !COMMON.has(word)))
  if (wanted.size === 0) return 0
  const present = new Set(tokenize(text))
  return [...wanted].reduce(
    (sum, word) =>
      sum +
      (present.has(word)
        ? 1
        : [...synonymsOf(word)].some((other) => present.has(other))
          ? SYNONYM_WEIGHT
          : 0),
    0,
  )
}
