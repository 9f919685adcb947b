import { quotedArray } from '../../src/ledger/array-literals.ts'

const TEXT = 25
const UUID = 2950

/** The text of an array in PostgreSQL's binary format, of integers, ids or texts. */
export function readArray(bytes: Buffer): string {
  const type = bytes.readInt32BE(8)
  let at = 20
  const elements = Array.from({ length: bytes.readInt32BE(12) }, () => {
    const length = bytes.readInt32BE(at)
    const from = at + 4
    at = from + Math.max(0, length)
    if (length < 0) return null
    if (type === TEXT) return bytes.toString('utf8', from, at)
    if (type === UUID) return bytes.toString('hex', from, at)
    return String(length === 8 ? bytes.readBigInt64BE(from) : bytes.readIntBE(from, length))
  })
  return quotedArray(elements, (element) => element) ?? '{}'
}
