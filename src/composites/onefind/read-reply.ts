/** Reading vendors' replies, whose fields may be missing, empty or of another kind. */
const MAX_CHARACTERS = 500

export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

/** The first of the values that says something: text, a number, or the first element of a list. */
export function textOf(...values: readonly unknown[]): string | undefined {
  for (const value of values) {
    const single: unknown = Array.isArray(value) ? value[0] : value
    const text =
      typeof single === 'number' ? String(single) : typeof single === 'string' ? single.trim() : ''
    if (text !== '') return text.slice(0, MAX_CHARACTERS)
  }
  return undefined
}

/** The same object without fields that are undefined. */
export function known<Key extends string>(
  values: Partial<Record<Key, string | undefined>>,
): Partial<Record<Key, string>> {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  ) as Partial<Record<Key, string>>
}
