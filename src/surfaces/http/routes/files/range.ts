export type Range = { readonly first: number; readonly last: number }

const SINGLE = /^bytes=(\d{0,15})-(\d{0,15})$/i

/** Reads a Range header. Null means the whole file, also for several ranges and invalid values (RFC 9110). */
export function parseRange(
  header: string | undefined,
  size: number,
): Range | 'unsatisfiable' | null {
  const match = SINGLE.exec(header ?? '')
  if (match === null) return null
  const [, from = '', to = ''] = match
  if (from === '') {
    if (to === '') return null
    const count = Math.min(Number(to), size)
    return count === 0 ? 'unsatisfiable' : { first: size - count, last: size - 1 }
  }
  const first = Number(from)
  const last = to === '' ? size - 1 : Math.min(Number(to), size - 1)
  if (to !== '' && Number(to) < first) return null
  return first >= size ? 'unsatisfiable' : { first, last }
}
