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
