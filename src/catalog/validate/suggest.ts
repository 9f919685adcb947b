import { editDistance, leastDistance } from '../../lib/edit-distance.ts'

// Nobody slips so often in one name. A model's is compared with hundreds of long ones, and the comparison ends when it needs more.
const MOST_EDITS = 8

type Candidate = {
  readonly name: string
  readonly known: string
  readonly allowed: number
  /** No distance is less. */ readonly least: number
  readonly contains: boolean
}
type Near = { readonly name: string; readonly distance: number }

/**
 * "Did you mean …": the candidates nearest to a word that nobody knows, best first. Anybody may send such words, and an
 * action has up to a thousand names: those whose letters are nearest are measured first, and what cannot be among the
 * best any more is not measured.
 */
export function suggest(word: string, candidates: Iterable<string>, limit = 3): string[] {
  const wanted = comparable(word)
  if (wanted.length === 0 || wanted.length > 64) return []
  const near: Near[] = []
  for (const { name, known, allowed, least, contains } of likely(wanted, candidates)) {
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

/** Those that may be near enough, the likeliest first. */
function likely(wanted: string, candidates: Iterable<string>): Candidate[] {
  const leastTo = leastDistance(wanted)
  const found: Candidate[] = []
  for (const name of candidates) {
    const known = comparable(name)
    const allowed = Math.min(
      MOST_EDITS,
      Math.max(1, Math.floor(Math.max(wanted.length, known.length) / 3)),
    )
    const contains = containsEither(wanted, known)
    const least = contains ? Math.min(1, allowed) : leastTo(known)
    if (least <= allowed) found.push({ name, known, allowed, least, contains })
  }
  return found.sort((a, b) => a.least - b.least)
}

/** Spelling differences that people do not notice: case, hyphens, underscores. */
function comparable(word: string): string {
  return word.toLowerCase().replaceAll(/[^a-z0-9]+/g, '')
}

function containsEither(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  return short !== long && short.length >= 3 && long.includes(short)
}
