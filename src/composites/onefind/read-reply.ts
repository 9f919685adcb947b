/** Reads vendors' replies, whose fields may be missing, empty or of another type. */
const MAX_CHARACTERS = 500

export function toList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

/** The first value with content: a text, a number, or the first element of a list. At most 500 characters. */
export function firstText(...values: readonly unknown[]): string | undefined {
  for (const value of values) {
    const single: unknown = Array.isArray(value) ? value[0] : value
    const text =
      typeof single === 'number' ? String(single) : typeof single === 'string' ? single.trim() : ''
    if (text !== '') return text.slice(0, MAX_CHARACTERS)
  }
  return undefined
}

/** Returns a copy without undefined fields. */
export function withoutUndefined<Key extends string>(
  values: Partial<Record<Key, string | undefined>>,
): Partial<Record<Key, string>> {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  ) as Partial<Record<Key, string>>
}
