const HEAD_END = '\r\n\r\n'
const LENGTH_FIELD = 'ontent-length: '

export type MessageReader = (chunk: Buffer) => void

/**
 * Finds the ends of HTTP/1.1 messages by their Content-Length (no body without one), on a connection with one message
 * at a time. A message in one chunk, the usual case on loopback, is neither copied nor decoded.
 */
export function readMessages(onMessage: (message: Buffer) => void): MessageReader {
  let kept: Buffer | null = null
  return (chunk) => {
    const bytes: Buffer = kept === null ? chunk : Buffer.concat([kept, chunk])
    const headEnd = bytes.indexOf(HEAD_END)
    if (headEnd < 0 || bytes.length < headEnd + HEAD_END.length + bodyLength(bytes, headEnd)) {
      // Copies, because the next read overwrites the chunk's memory.
      kept = Buffer.from(bytes)
      return
    }
    kept = null
    onMessage(bytes)
  }
}

function bodyLength(bytes: Buffer, headEnd: number): number {
  const field = bytes.indexOf(LENGTH_FIELD)
  if (field < 0 || field > headEnd) return 0
  let length = 0
  for (let place = field + LENGTH_FIELD.length; place < headEnd; place += 1) {
    const digit = (bytes[place] ?? 0) - 0x30
    if (digit < 0 || digit > 9) break
    length = length * 10 + digit
  }
  return length
}
