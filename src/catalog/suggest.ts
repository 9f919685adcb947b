import { editDistance } from '../lib/edit-distance.ts'

// Nobody slips so often in one name. A model's is compared with hundreds of long ones, and the comparison ends when it needs more.
const MOST_EDITS = 8

/** "Did you mean …": the candidates nearest to a word that nobody knows, best first. */
export function suggest(word: string, candidates: Iterable<string>, limit = 3): string[] {
  const wanted = comparable(word)
  if (wanted.length === 0 || wanted.length > 64) return []
  const near: { candidate: string; distance: number }[] = []
  for (const candidate of candidates) {
    const known = comparable(candidate)
    const allowed = Math.min(MOST_EDITS, Math.max(1, Math.floor(Math.max(wanted.length, known.length) / 3)))
    const distance = containsEither(wanted, known) ? Math.min(1, allowed) : editDistance(wanted, known, allowed)
    if (distance <= allowed) near.push({ candidate, distance })
  }
  return near
    .sort((a, b) => a.distance - b.distance || a.candidate.localeCompare(b.candidate))
    .slice(0, limit)
    .map(({ candidate }) => candidate)
}

/** Spelling differences that people do not notice: case, hyphens, underscores. */
function comparable(word: string): string {
  return word.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
}

function containsEither(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  return short !== long && short.length >= 3 && long.includes(short)
}
