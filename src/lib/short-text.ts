/**
 * The first characters as an independent string, for caches: a slice keeps the whole original in
 * memory. A surrogate pair cut in half becomes U+FFFD.
 */
export function shortText(text: string, most: number): string {
  return Buffer.from(text.slice(0, most)).toString()
}
