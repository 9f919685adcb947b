/** A JSON object with unchecked fields. */
export type Fields = Readonly<Record<string, unknown>>

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The fields of a value; empty when it is not an object. */
export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {}
}

/** The objects of a list; empty when the value is not a list. */
export function listedFields(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isFields) : []
}

/** Null when the text is not a JSON object. */
export function parseFields(text: string): Fields | null {
  try {
    const value = JSON.parse(text) as unknown
    return isFields(value) ? value : null
  } catch {
    return null
  }
}
