/** A server compresses once, and a cache may compress again. More encodings indicate a bomb. */
export const MOST_ENCODINGS = 3

/**
 * The names in a Content-Encoding header in decoding order: the last one applied is first (RFC
 * 9110, section 8.4).
 */
export function encodingsOf(header: string | string[] | undefined): string[] {
  const names = String(header ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
  return names.filter((name) => name !== '' && name !== 'identity').reverse()
}
