/** A server packs once, and a cache before it once more; more is a bomb. */
export const MOST_ENCODINGS = 3

/** What a Content-Encoding names, in the order in which it is undone: the last that was applied first (RFC 9110, section 8.4). */
export function encodingsOf(header: string | string[] | undefined): string[] {
  const names = String(header ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
  return names.filter((name) => name !== '' && name !== 'identity').reverse()
}
