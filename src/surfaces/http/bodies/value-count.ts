const [QUOTE, BACKSLASH, COMMA, OPEN_LIST, OPEN_OBJECT] = [0x22, 0x5c, 0x2c, 0x5b, 0x7b]

/**
 * Whether a JSON text has more than `most` values, counting those in objects. It stops at the first
 * value beyond `most`, and takes a few nanoseconds per byte.
 */
export function hasMoreValuesThan(json: Buffer, most: number): boolean {
  let count = 0
  for (let at = 0; at < json.length && count <= most; at += 1) {
    const byte = json[at]
    if (byte === QUOTE) at = endOfString(json, at + 1)
    else if (byte === COMMA || byte === OPEN_LIST || byte === OPEN_OBJECT) count += 1
  }
  return count > most
}

/** The position of the closing quote. */
function endOfString(json: Buffer, start: number): number {
  // Fast path: most strings have no escaped quote.
  const quote = json.indexOf(QUOTE, start)
  if (quote === -1) return json.length
  if (json[quote - 1] !== BACKSLASH) return quote
  let at = start
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1
  return at
}
