/** An object of JSON whose fields nobody has checked yet. */
export type Fields = Readonly<Record<string, unknown>>

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The fields of a value; none where it is no object. */
export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {}
}

/** The objects of a list; none of what is not one. */
export function listedFields(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isFields) : []
}

/** Null for what is not the JSON of an object. */
export function parseFields(text: string): Fields | null {
  try {
    const value = JSON.parse(text) as unknown
    return isFields(value) ? value : null
  } catch {
    return null
  }
}
