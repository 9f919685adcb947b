/** What RFC 9110 says a field's name is made of. */
export const FIELD_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
/** Finds what no field's value may hold, line ends above all: whoever could put one in could write fields of their own. */
export const NOT_IN_A_VALUE = /[^\t\x20-\x7e\x80-\xff]/

const SPACE = 0x20
const TAB = 0x09

/** The value of an HTTP field between these places, without spaces and tabs around it. Those alone: other characters may be bytes of a longer one. */
export function fieldValue(text: string, from: number, to: number): string {
  let [start, end] = [from, to]
  while (start < end && isBlank(text.charCodeAt(start))) start += 1
  while (end > start && isBlank(text.charCodeAt(end - 1))) end -= 1
  return text.slice(start, end)
}

function isBlank(code: number): boolean {
  return code === SPACE || code === TAB
}

/** Headers whose name came more than once, with their values as one list (RFC 9110, section 5.2). */
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
