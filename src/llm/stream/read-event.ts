/** Finds the boundaries and the data of server-sent events. */

export const EMPTY_LINE = Buffer.from('\n\n')

/** The end of the event at `start`, including its empty line. Does not scan beyond it. */
export function endOfEvent(bytes: Buffer, start: number): number {
  const end = endAfterNewline(bytes, start)
  const bare = bytes.subarray(start, end).indexOf(BARE_RETURNS)
  return bare < 0 ? end : start + bare + BARE_RETURNS.length
}

const NEWLINE = 0x0a
const RETURN = 0x0d
const BARE_RETURNS = '\r\r'
const SEPARATORS = ['\n\n', '\n\r\n', BARE_RETURNS] as const

function endAfterNewline(bytes: Buffer, start: number): number {
  for (let at = bytes.indexOf(NEWLINE, start); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) {
    if (bytes[at + 1] === NEWLINE) return at + 2
    if (bytes[at + 1] === RETURN && bytes[at + 2] === NEWLINE) return at + 3
  }
  return bytes.length
}

export function endOfLastEvent(bytes: Buffer): number {
  const { length } = bytes
  if (length > 1 && bytes[length - 1] === NEWLINE && bytes[length - 2] === NEWLINE) return length
  return Math.max(
    ...SEPARATORS.map((separator) => {
      const at = bytes.lastIndexOf(separator)
      return at < 0 ? 0 : at + separator.length
    }),
  )
}

export function isEndMark(data: string): boolean {
  return data.trim() === '[DONE]'
}

// A stream may start with one, which is not part of its first line.
const BYTE_ORDER_MARK = /^\uFEFF/

/** The data of an event; null if it has none. */
export function dataOf(event: Buffer): string | null {
  const lines = event
    .toString('utf8')
    .replace(BYTE_ORDER_MARK, '')
    .split(/\r\n|\n|\r/)
    .filter((line) => line.startsWith('data:'))
  return lines.length === 0
    ? null
    : lines.map((line) => line.slice(line.charAt(5) === ' ' ? 6 : 5)).join('\n')
}
