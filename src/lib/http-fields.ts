/** The characters of a field name (RFC 9110). */
export const FIELD_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
/** Matches characters that no field value may contain. Line ends above all, because they would allow injecting fields. */
export const NOT_IN_A_VALUE = /[^\t\x20-\x7e\x80-\xff]/

const SPACE = 0x20
const TAB = 0x09

/** The value of an HTTP field between these positions without surrounding spaces and tabs. Other bytes may belong to a longer character. */
export function fieldValue(text: string, from: number, to: number): string {
  let [start, end] = [from, to]
  while (start < end && isBlank(text.charCodeAt(start))) start += 1
  while (end > start && isBlank(text.charCodeAt(end - 1))) end -= 1
  return text.slice(start, end)
}

function isBlank(code: number): boolean {
  return code === SPACE || code === TAB
}

/** Combines headers with the same name into one list (RFC 9110, section 5.2). */
export function withSingleValues(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  if (!Object.values(headers).some(Array.isArray)) return headers as Record<string, string>
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  )
}
