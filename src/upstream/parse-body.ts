const CONTROL_CHARACTERS = /\p{Cc}/gu

/** Parses a JSON object or list. Returns any other text unchanged. */
export function parseBody(text: string): unknown {
  const first = text.trimStart().charAt(0)
  if (first !== '{' && first !== '[') return text
  const parsed = parseJson(text)
  if (parsed !== undefined) return parsed
  // Some vendors send raw control characters in strings. Between tokens, such a character is white
  // space, and so is a byte order mark.
  return parseJson(text.trimStart().replaceAll(CONTROL_CHARACTERS, ' ')) ?? text
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
