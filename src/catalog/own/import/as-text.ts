/** Text, numbers and flags as text. Empty for any other value of a document, such as an object with a "toString" of its own. */
export function asText(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}
