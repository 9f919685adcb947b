/** An object of JSON whose fields nobody has checked yet. */
export type Fields = Readonly<Record<string, unknown>>

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The fields of a value; none where it is no object. */
export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {}
}
