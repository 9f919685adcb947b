/**
 * Insertions, deletions, substitutions and swaps of neighbours that turn `left` into `right` (optimal string alignment).
 * Gives up with `most + 1` as soon as more than `most` are needed. A name that nobody knows is compared with hundreds of
 * others while everybody else waits, so this is plain numbers in three rows that take turns.
 */
export function editDistance(left: string, right: string, most = Number.POSITIVE_INFINITY): number {
  if (Math.abs(left.length - right.length) > most) return most + 1
  const width = right.length + 1
  let beforeLast = new Uint32Array(width)
  let last = Uint32Array.from({ length: width }, (_, column) => column)
  let current = new Uint32Array(width)
  for (let row = 1; row <= left.length; row += 1) {
    const sign = left.charCodeAt(row - 1)
    const signBefore = row > 1 ? left.charCodeAt(row - 2) : -1
    let before = row
    let least = row
    current[0] = row
    for (let column = 1; column < width; column += 1) {
      const other = right.charCodeAt(column - 1)
      let edits = (last[column - 1] ?? 0) + (sign === other ? 0 : 1)
      const deleted = (last[column] ?? 0) + 1
      if (deleted < edits) edits = deleted
      if (before + 1 < edits) edits = before + 1
      if (signBefore === other && column > 1 && sign === right.charCodeAt(column - 2)) edits = Math.min(edits, (beforeLast[column - 2] ?? 0) + 1)
      current[column] = edits
      before = edits
      if (edits < least) least = edits
    }
    if (least > most) return most + 1
    const free = beforeLast
    beforeLast = last
    last = current
    current = free
  }
  return Math.min(last[right.length] ?? 0, most + 1)
}
