import { tokenize } from '../discover/tokenize.ts'

const COMMON = new Set(tokenize('show demo video page website site product explain present find see open click tour visitors people new how'))

/** How many different words of the wish are in the text; words that every wish has do not count. */
export function matchesOf(wish: string, text: string): number {
  const wanted = new Set(tokenize(wish).filter((word) => !COMMON.has(word)))
  if (wanted.size === 0) return 0
  return new Set(tokenize(text).filter((word) => wanted.has(word))).size
}
