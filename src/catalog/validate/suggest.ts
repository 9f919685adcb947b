import { editDistance, leastDistance } from '../../lib/edit-distance.ts'

// No caller mistypes one name more often. Long model names are compared with hundreds of others,
// and the limit ends each comparison early.
const MAX_EDITS = 8

type Candidate = {
  readonly name: string
  readonly known: string
  readonly allowed: number
  /** A lower bound of the distance. */ readonly least: number
  readonly contains: boolean
}
type Near = { readonly name: string; readonly distance: number }

/**
 * Finds the names for a "Did you mean …", best first. Any caller can send unknown words, and an
 * action has up to a thousand names: candidates with the most similar letters are measured first,
 * and those that cannot be among the best are skipped.
 */
export function suggest(word: string, candidates: Iterable<string>, limit = 3): string[] {
  const wanted = normalize(word)
  if (wanted.length === 0 || wanted.length > 64) return []
  const near: Near[] = []
  for (const { name, known, allowed, least, contains } of likelyCandidates(wanted, candidates)) {
    const most = Math.min(allowed, near[limit - 1]?.distance ?? allowed)
    if (least > most) continue
    const distance = contains ? least : editDistance(wanted, known, most)
    if (distance <= most)
      near.splice(near.findLastIndex((one) => one.distance <= distance) + 1, 0, { name, distance })
  }
  return near
    .sort((a, b) => a.distance - b.distance || a.name.localeCompare(b.name))
    .slice(0, limit)
    .map(({ name }) => name)
}

/** Candidates that may be near enough, the likeliest first. */
function likelyCandidates(wanted: string, candidates: Iterable<string>): Candidate[] {
  const leastTo = leastDistance(wanted)
  const found: Candidate[] = []
  for (const name of candidates) {
    const known = normalize(name)
    const allowed = Math.min(
      MAX_EDITS,
      Math.max(1, Math.floor(Math.max(wanted.length, known.length) / 3)),
    )
    const contains = containsEither(wanted, known)
    const least = contains ? Math.min(1, allowed) : leastTo(known)
    if (least <= allowed) found.push({ name, known, allowed, least, contains })
  }
  return found.sort((a, b) => a.least - b.least)
}

/** Ignores differences in case, hyphens and underscores. */
function normalize(word: string): string {
  return word.toLowerCase().replaceAll(/[^a-z0-9]+/g, '')
}

function containsEither(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  return short !== long && short.length >= 3 && long.includes(short)
}
