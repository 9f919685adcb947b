/**
 * A statement in PostgreSQL's frontend/backend protocol (version 3, "Extended Query"): Parse unless
 * the server has stored it by name, Bind, Execute and Sync. A buffer is a value in binary format;
 * other values and all results are text.
 */
export type Statement = {
  readonly name: string
  readonly text: string
  readonly values: (string | number | Buffer | null)[]
}

const PARSE = 0x50
const BIND = 0x42
/** Execute the unnamed portal for all of its rows, then Sync. */
const EXECUTE_AND_SYNC = Buffer.from([0x45, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0x53, 0, 0, 0, 4])
const NO_VALUE = -1
const TEXT_FORMAT = 0
const BINARY_FORMAT = 1
/** The format and the length of a value. */
const BYTES_PER_VALUE = 6

/** Throws RangeError for a value that exceeds the maximum length of a buffer. */
export function encodeStatement({ name, text, values }: Statement, isParsed: boolean): Buffer {
  const given = values.map(toGiven)
  const lengths = given.map(lengthOf)
  const nameLength = Buffer.byteLength(name)
  const parseLength = isParsed ? 0 : 9 + nameLength + Buffer.byteLength(text)
  const valuesLength = lengths.reduce(
    (sum, length) => sum + BYTES_PER_VALUE + Math.max(0, length),
    0,
  )
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
  at = bytes.writeUInt16BE(given.length, at)
  for (const value of given)
    at = bytes.writeInt16BE(Buffer.isBuffer(value) ? BINARY_FORMAT : TEXT_FORMAT, at)
  at = bytes.writeUInt16BE(given.length, at)
  for (const [place, value] of given.entries()) {
    at = bytes.writeInt32BE(lengths[place] ?? NO_VALUE, at)
    if (typeof value === 'string') at += bytes.write(value, at)
    else if (value !== null) at += value.copy(bytes, at)
  }
  // All columns are text.
  at = bytes.writeInt16BE(0, at)
  bytes.set(EXECUTE_AND_SYNC, at)
  return bytes
}

// An undefined value, which the types exclude, becomes null, so that the tables refuse it.
function toGiven(value: string | number | Buffer | null | undefined): string | Buffer | null {
  if (value === null || value === undefined) return null
  return Buffer.isBuffer(value) ? value : String(value)
}

function lengthOf(value: string | Buffer | null): number {
  if (value === null) return NO_VALUE
  return typeof value === 'string' ? Buffer.byteLength(value) : value.length
}
