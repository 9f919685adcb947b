/** False for text with a malformed percent escape, as in a password with a plain "%". */
export function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}
