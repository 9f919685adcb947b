/** Nearest index terms for a word that the index does not have: candidates by shared trigrams, then edit distance. */
const MAX_CANDIDATES = 200
const MAX_CORRECTIONS = 3
const SHORTEST_CORRECTABLE = 4

export type TypoCorrector = {
  readonly correct: (word: string) => string[]
  /** How many terms have been compared so far. */
  readonly compared: () => number
}

export function createTypoCorrector(terms: readonly string[]): TypoCorrector {
  const byGram = new Map<string, number[]>()
  terms.forEach((term, id) => {
    if (term.length < SHORTEST_CORRECTABLE) return
    for (const gram of grams(term)) {
      const ids = byGram.get(gram)
      if (ids === undefined) byGram.set(gram, [id])
      else ids.push(id)
    }
  })
  let compared = 0
  return {
    compared: () => compared,
    correct: (word) => {
      if (word.length < SHORTEST_CORRECTABLE || /\d/.test(word)) return []
      const candidates = candidatesOf(word, byGram).map((id) => terms[id] ?? '')
      compared += candidates.length
      return nearest(word, candidates)
    },
  }
}

function candidatesOf(word: string, byGram: ReadonlyMap<string, readonly number[]>): number[] {
  const shared = new Map<number, number>()
  for (const gram of grams(word)) for (const id of byGram.get(gram) ?? []) shared.set(id, (shared.get(id) ?? 0) + 1)
  return [...shared].toSorted(([a, x], [b, y]) => y - x || a - b).slice(0, MAX_CANDIDATES).map(([id]) => id)
}

function nearest(word: string, candidates: readonly string[]): string[] {
  const most = word.length >= 8 ? 2 : 1
  const measured = candidates.filter((term) => term[0] === word[0]).map((term) => ({ term, distance: editDistance(word, term, most) }))
  const least = Math.min(...measured.map(({ distance }) => distance))
  return measured.filter(({ distance }) => distance <= most && distance === least).slice(0, MAX_CORRECTIONS).map(({ term }) => term)
}

function grams(word: string): Set<string> {
  const padded = `^${word}$`
  return new Set(Array.from({ length: padded.length - 2 }, (_, at) => padded.slice(at, at + 3)))
}

/** Edits, with a swap of neighbours as one; anything above `most` is told as `most + 1`. */
export function editDistance(left: string, right: string, most: number): number {
  if (Math.abs(left.length - right.length) > most) return most + 1
  let beforeLast: number[] = []
  let last = Array.from({ length: right.length + 1 }, (_, at) => at)
  for (let i = 1; i <= left.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= right.length; j += 1) {
      const same = left[i - 1] === right[j - 1]
      let best = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1))
      if (i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1]) best = Math.min(best, (beforeLast[j - 2] ?? 0) + 1)
      row.push(best)
    }
    if (Math.min(...row) > most) return most + 1
    beforeLast = last
    last = row
  }
  return Math.min(last[right.length] ?? 0, most + 1)
}
