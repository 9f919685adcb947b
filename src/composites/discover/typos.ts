/** Corrects unknown words: finds index terms by shared trigrams, then by edit distance. */
import { editDistance } from '../../lib/edit-distance.ts'
import { runWhole, type Steps } from '../../lib/background/sliced.ts'

const MAX_CANDIDATES = 200
const MAX_CORRECTIONS = 3
const SHORTEST_CORRECTABLE = 4

export type TypoCorrector = {
  readonly correct: (word: string) => string[]
  /** The number of terms compared so far. */
  readonly compared: () => number
}

export function createTypoCorrector(terms: readonly string[]): TypoCorrector {
  return runWhole(typoCorrectorSteps(terms))
}

export function* typoCorrectorSteps(terms: readonly string[]): Steps<TypoCorrector> {
  const byGram = new Map<string, number[]>()
  for (const [id, term] of terms.entries()) {
    yield
    if (term.length < SHORTEST_CORRECTABLE) continue
    for (const gram of grams(term)) {
      const ids = byGram.get(gram)
      if (ids === undefined) byGram.set(gram, [id])
      else ids.push(id)
    }
  }
  let compared = 0
  return {
    compared: () => compared,
    correct: (word) => {
      if (word.length < SHORTEST_CORRECTABLE || /\d/.test(word)) return []
      const candidates = findCandidates(word, byGram).map((id) => terms[id] ?? '')
      compared += candidates.length
      return nearest(word, candidates)
    },
  }
}

function findCandidates(word: string, byGram: ReadonlyMap<string, readonly number[]>): number[] {
  const shared = new Map<number, number>()
  for (const gram of grams(word))
    for (const id of byGram.get(gram) ?? []) shared.set(id, (shared.get(id) ?? 0) + 1)
  return [...shared]
    .toSorted(([a, x], [b, y]) => y - x || a - b)
    .slice(0, MAX_CANDIDATES)
    .map(([id]) => id)
}

function nearest(word: string, candidates: readonly string[]): string[] {
  const most = word.length >= 8 ? 2 : 1
  const measured = candidates
    .filter((term) => term[0] === word[0])
    .map((term) => ({ term, distance: editDistance(word, term, most) }))
  const least = Math.min(...measured.map(({ distance }) => distance))
  return measured
    .filter(({ distance }) => distance <= most && distance === least)
    .slice(0, MAX_CORRECTIONS)
    .map(({ term }) => term)
}

function grams(word: string): Set<string> {
  const padded = `^${word}$`
  return new Set(Array.from({ length: padded.length - 2 }, (_, at) => padded.slice(at, at + 3)))
}
