/** "Did you mean …": the candidates nearest to a word that nobody knows, best first. */
export function suggest(word: string, candidates: Iterable<string>, limit = 3): string[] {
  const wanted = comparable(word)
  if (wanted.length === 0 || wanted.length > 64) return []
  const near: { candidate: string; distance: number }[] = []
  for (const candidate of candidates) {
    const known = comparable(candidate)
    const allowed = Math.max(1, Math.floor(Math.max(wanted.length, known.length) / 3))
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

/**
 * Insertions, deletions, substitutions and swaps of neighbours that turn `a` into `b` (optimal string alignment).
 * Gives up with `limit + 1` as soon as more than `limit` are needed.
 */
export function editDistance(a: string, b: string, limit = Number.POSITIVE_INFINITY): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1]
      let cost = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
      )
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      if (swapped) cost = Math.min(cost, (beforeLast[column - 2] ?? 0) + 1)
      current.push(cost)
    }
    if (Math.min(...current) > limit) return limit + 1
    beforeLast = last
    last = current
  }
  return last[b.length] ?? 0
}
