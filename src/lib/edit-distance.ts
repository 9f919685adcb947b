/**
 * The number of insertions, deletions, substitutions and transpositions that turn `left` into `right`
 * (optimal string alignment). Returns `most + 1` as soon as more than `most` are needed. An unknown
 * name is compared with hundreds of others on the event loop, so this uses three reused rows of
 * numbers and computes only the columns within `most` of each row.
 */
export function editDistance(left: string, right: string, most = Number.POSITIVE_INFINITY): number {
  if (Math.abs(left.length - right.length) > most) return most + 1
  const width = right.length + 1
  const tooMany = left.length + right.length + 1
  let beforeLast = new Uint32Array(width)
  let last = new Uint32Array(width)
  let current = new Uint32Array(width)
  for (let column = 1; column < width; column += 1) last[column] = column
  for (let row = 1; row <= left.length; row += 1) {
    const sign = left.charCodeAt(row - 1)
    const signBefore = row > 1 ? left.charCodeAt(row - 2) : -1
    const first = Math.max(1, row - most)
    const end = Math.min(width, row + most + 1)
    let before = first === 1 ? row : tooMany
    let least = before
    current[first - 1] = before
    for (let column = first; column < end; column += 1) {
      const other = right.charCodeAt(column - 1)
      let edits = (last[column - 1] ?? 0) + (sign === other ? 0 : 1)
      const deleted = (last[column] ?? 0) + 1
      if (deleted < edits) edits = deleted
      if (before + 1 < edits) edits = before + 1
      if (signBefore === other && column > 1 && sign === right.charCodeAt(column - 2))
        edits = Math.min(edits, (beforeLast[column - 2] ?? 0) + 1)
      current[column] = edits
      before = edits
      if (edits < least) least = edits
    }
    if (least > most) return most + 1
    // The next row reads one column further.
    if (end < width) current[end] = tooMany
    const free = beforeLast
    beforeLast = last
    last = current
    current = free
  }
  return Math.min(last[right.length] ?? 0, most + 1)
}

/** A lower bound of the edit distance between one word and many others, from their ASCII letters and digits. */
export function leastDistance(word: string): (other: string) => number {
  const counts = new Int16Array(CODES)
  for (let place = 0; place < word.length; place += 1) add(counts, word.charCodeAt(place), 1)
  return (other) => {
    let more = 0
    for (let place = 0; place < other.length; place += 1)
      if (add(counts, other.charCodeAt(place), -1) < 0) more += 1
    for (let place = 0; place < other.length; place += 1) add(counts, other.charCodeAt(place), 1)
    // The number of characters missing in the other word differs by the difference in length.
    return Math.max(more, more + word.length - other.length)
  }
}

const CODES = 128

function add(counts: Int16Array, code: number, by: number): number {
  const place = code & (CODES - 1)
  const count = (counts[place] ?? 0) + by
  counts[place] = count
  return count
}
