const [QUOTE, BACKSLASH, COMMA, OPEN_LIST, OPEN_OBJECT] = [0x22, 0x5c, 0x2c, 0x5b, 0x7b]

/**
 * Whether a JSON text lists more than `most` values, those of its objects among them. It reads no further then, and
 * takes some nanoseconds a byte.
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

/** Where its closing quote stands. */
function endOfString(json: Buffer, start: number): number {
  // Most strings hold no escaped quote: the end of a long one is found at once.
  const quote = json.indexOf(QUOTE, start)
  if (quote === -1) return json.length
  if (json[quote - 1] !== BACKSLASH) return quote
  let at = start
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1
  return at
}
