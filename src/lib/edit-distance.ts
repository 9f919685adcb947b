/**
 * Insertions, deletions, substitutions and swaps of neighbours that turn `left` into `right` (optimal string alignment).
 * Gives up with `most + 1` as soon as more than `most` are needed.
 */
export function editDistance(left: string, right: string, most = Number.POSITIVE_INFINITY): number {
  if (Math.abs(left.length - right.length) > most) return most + 1
  let beforeLast: number[] = []
  let last = Array.from({ length: right.length + 1 }, (_, column) => column)
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= right.length; column += 1) {
      const isSame = left[row - 1] === right[column - 1]
      const edits = Math.min((last[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, (last[column - 1] ?? 0) + (isSame ? 0 : 1))
      const isSwapped = row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]
      current.push(isSwapped ? Math.min(edits, (beforeLast[column - 2] ?? 0) + 1) : edits)
    }
    if (Math.min(...current) > most) return most + 1
    beforeLast = last
    last = current
  }
  return Math.min(last[right.length] ?? 0, most + 1)
}
