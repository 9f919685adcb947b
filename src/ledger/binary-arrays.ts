// PostgreSQL arrays in its binary format, which takes it a quarter of the instructions of text. A value
// that has no binary form of its type makes the whole array a text, so that the server reports it.
import { quotedArray } from './array-literals.ts'

/** A value of a statement: an array in binary format, or as a text. */
export type ArrayValue = Buffer | string | null

type Pick<Item, Value> = (item: Item) => Value

// Types by their number in the server's catalog, which is the same in every version.
const INT2 = { type: 21, size: 2 }
const INT4 = { type: 23, size: 4 }
const INT8 = { type: 20, size: 8 }
const UUID = { type: 2950, size: 16 }
const TEXT_TYPE = 25

const HEAD_BYTES = 20
const LENGTH_BYTES = 4
const NULL_LENGTH = -1
const ID_DIGITS = 32

// Reused for every array, so that its bytes are copied once.
let view = new DataView(new ArrayBuffer(16_384))
let bytes = Buffer.from(view.buffer)

export function smallintArray<Item>(
  items: readonly Item[],
  pick: Pick<Item, number | null>,
): ArrayValue {
  return fixedArray(INT2, items, pick, (at, value) => {
    view.setInt16(at, value)
    return view.getInt16(at) === value
  })
}

export function integerArray<Item>(
  items: readonly Item[],
  pick: Pick<Item, number | null>,
): ArrayValue {
  return fixedArray(INT4, items, pick, (at, value) => {
    view.setInt32(at, value)
    return view.getInt32(at) === value
  })
}

export function bigintArray<Item>(
  items: readonly Item[],
  pick: Pick<Item, bigint | number | null>,
): ArrayValue {
  return fixedArray(INT8, items, pick, writeBigint)
}

export function uuidArray<Item>(
  items: readonly Item[],
  pick: Pick<Item, string | null>,
): ArrayValue {
  return fixedArray(UUID, items, pick, writeId)
}

export function textArray<Item>(
  items: readonly Item[],
  pick: Pick<Item, string | null>,
): ArrayValue {
  let at = HEAD_BYTES
  let isNull = true
  for (const item of items) {
    const text = pick(item)
    // A character takes at most three bytes per UTF-16 unit.
    reserve(at + LENGTH_BYTES + 3 * (text?.length ?? 0))
    const length = text === null ? NULL_LENGTH : bytes.write(text, at + LENGTH_BYTES)
    isNull &&= text === null
    view.setInt32(at, length)
    at += LENGTH_BYTES + Math.max(0, length)
  }
  return isNull ? null : finish(TEXT_TYPE, items.length, at)
}

/** Null if every value is null, which the server reads for free. A text if `write` refuses a value. */
function fixedArray<Item, Value extends bigint | number | string>(
  { type, size }: { readonly type: number; readonly size: number },
  items: readonly Item[],
  pick: Pick<Item, Value | null>,
  write: (at: number, value: Value) => boolean,
): ArrayValue {
  reserve(HEAD_BYTES + items.length * (LENGTH_BYTES + size))
  let at = HEAD_BYTES
  let isNull = true
  for (const item of items) {
    const value = pick(item)
    // An undefined value, which the types exclude, becomes null, so that the tables refuse it.
    if (value === null || value === undefined) {
      view.setInt32(at, NULL_LENGTH)
      at += LENGTH_BYTES
    } else {
      isNull = false
      view.setInt32(at, size)
      if (!write(at + LENGTH_BYTES, value))
        return quotedArray(items, (one) => pick(one)?.toString() ?? null)
      at += LENGTH_BYTES + size
    }
  }
  return isNull ? null : finish(type, items.length, at)
}

function writeBigint(at: number, value: bigint | number): boolean {
  if (typeof value === 'bigint') {
    view.setBigInt64(at, value)
    return view.getBigInt64(at) === value
  }
  view.setInt32(at, Math.floor(value / 2 ** 32))
  view.setUint32(at + 4, value)
  return Number.isSafeInteger(value)
}

function writeId(at: number, id: string): boolean {
  return id.length === ID_DIGITS && bytes.write(id, at, 'hex') === UUID.size
}

function reserve(length: number): void {
  if (length <= bytes.length) return
  const larger = Buffer.from(new ArrayBuffer(2 * length))
  larger.set(bytes)
  bytes = larger
  view = new DataView(larger.buffer)
}

/** One dimension, whose first place is 1. The head always allows for nulls. */
function finish(type: number, count: number, end: number): Buffer {
  view.setInt32(0, 1)
  view.setInt32(4, 1)
  view.setInt32(8, type)
  view.setInt32(12, count)
  view.setInt32(16, 1)
  return Buffer.from(bytes.subarray(0, end))
}
