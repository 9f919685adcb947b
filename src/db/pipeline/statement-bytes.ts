/**
 * A statement in PostgreSQL's frontend/backend protocol (version 3, "Extended Query"): Parse unless
 * the server has stored it by name, Bind, Execute and Sync. Values and results are text.
 */
export type Statement = {
  readonly name: string
  readonly text: string
  readonly values: (string | number | null)[]
}

const PARSE = 0x50
const BIND = 0x42
/** Execute the unnamed portal for all of its rows, then Sync. */
const EXECUTE_AND_SYNC = Buffer.from([0x45, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0x53, 0, 0, 0, 4])
const NO_VALUE = -1

/** Throws RangeError for a value that exceeds the maximum length of a buffer. */
export function encodeStatement({ name, text, values }: Statement, isParsed: boolean): Buffer {
  const texts = values.map(textOf)
  const lengths = texts.map((value) => (value === null ? NO_VALUE : Buffer.byteLength(value)))
  const nameLength = Buffer.byteLength(name)
  const parseLength = isParsed ? 0 : 9 + nameLength + Buffer.byteLength(text)
  const valuesLength = lengths.reduce((sum, length) => sum + 4 + Math.max(0, length), 0)
  const bindLength = 13 + nameLength + valuesLength
  const bytes = Buffer.allocUnsafe(parseLength + bindLength + EXECUTE_AND_SYNC.length)

  let at = 0
  const addZeroEnded = (value: string): void => {
    at += bytes.write(value, at)
    at = bytes.writeUInt8(0, at)
  }
  if (!isParsed) {
    at = bytes.writeUInt8(PARSE, at)
    at = bytes.writeInt32BE(parseLength - 1, at)
    addZeroEnded(name)
    addZeroEnded(text)
    // No parameter types: the statement contains casts.
    at = bytes.writeInt16BE(0, at)
  }
  at = bytes.writeUInt8(BIND, at)
  at = bytes.writeInt32BE(bindLength - 1, at)
  // Into the unnamed portal.
  addZeroEnded('')
  addZeroEnded(name)
  // All values are text.
  at = bytes.writeInt16BE(0, at)
  at = bytes.writeUInt16BE(texts.length, at)
  for (const [place, value] of texts.entries()) {
    at = bytes.writeInt32BE(lengths[place] ?? NO_VALUE, at)
    if (value !== null) at += bytes.write(value, at)
  }
  // All columns are text.
  at = bytes.writeInt16BE(0, at)
  bytes.set(EXECUTE_AND_SYNC, at)
  return bytes
}

// An undefined value, which the types exclude, becomes null, so that the tables refuse it.
function textOf(value: string | number | null | undefined): string | null {
  return value === null || value === undefined ? null : String(value)
}
