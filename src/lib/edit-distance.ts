/**
 * Insertions, deletions, substitutions and swaps of neighbours that turn `left` into `right` (optimal string alignment).
 * Gives up with `most + 1` as soon as more than `most` are needed.
 */
export function editDistance(left: string, right: string, most = Number.POSITIVE_INFINITY): number {
  if (Math.abs(left.length - right.length) > most) return most + 1
  const { rows, columns } = differing(left, right)
  let beforeLast = new Uint32Array(columns.length + 1)
  let last = new Uint32Array(columns.length + 1).map((_, column) => column)
  let current = new Uint32Array(columns.length + 1)
  for (let row = 1; row <= rows.length; row += 1) {
    current[0] = row
    let least = row
    for (let column = 1; column <= columns.length; column += 1) {
      const isSame = rows.charCodeAt(row - 1) === columns.charCodeAt(column - 1)
      let edits = Math.min((last[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, (last[column - 1] ?? 0) + (isSame ? 0 : 1))
      const isSwapped = row > 1 && column > 1 && !isSame && rows.charCodeAt(row - 1) === columns.charCodeAt(column - 2) && rows.charCodeAt(row - 2) === columns.charCodeAt(column - 1)
      if (isSwapped) edits = Math.min(edits, (beforeLast[column - 2] ?? 0) + 1)
      current[column] = edits
      if (edits < least) least = edits
    }
    if (least > most) return most + 1
    const spare = beforeLast
    beforeLast = last
    last = current
    current = spare
  }
  return Math.min(last[columns.length] ?? 0, most + 1)
}

/** Both without the beginning and the end that they share, which no edit touches. */
function differing(left: string, right: string): { rows: string; columns: string } {
  let start = 0
  let [leftEnd, rightEnd] = [left.length, right.length]
  while (start < leftEnd && start < rightEnd && left[start] === right[start]) start += 1
  while (leftEnd > start && rightEnd > start && left[leftEnd - 1] === right[rightEnd - 1]) {
    leftEnd -= 1
    rightEnd -= 1
  }
  return { rows: left.slice(start, leftEnd), columns: right.slice(start, rightEnd) }
}
