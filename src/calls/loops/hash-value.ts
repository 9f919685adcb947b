const START = 0x811c9dc5
const PRIME = 0x01000193
/** Deeper values have equal hashes. */
const DEEPEST = 100
const [ARRAY, OBJECT, OTHER] = [1, 2, 3]

/**
 * A 32-bit hash of a parsed JSON value, independent of the order of members. `skip` leaves out members
 * of the value itself. Equal hashes of different values are too rare to matter here.
 */
export function hashValue(value: unknown, skip?: RegExp, depth = 0): number {
  if (typeof value === 'string') return hashText(value)
  if (typeof value !== 'object' || value === null) return hashText(String(value), OTHER)
  if (depth === DEEPEST) return DEEPEST
  if (Array.isArray(value)) {
    let hash = START ^ ARRAY
    for (const element of value)
      hash = Math.imul(hash ^ hashValue(element, undefined, depth + 1), PRIME)
    return spread(hash)
  }
  let sum = OBJECT
  for (const name in value) {
    const member = (value as Readonly<Record<string, unknown>>)[name]
    if (member === undefined || skip?.test(name) === true) continue
    sum += spread(Math.imul(hashText(name), PRIME) ^ hashValue(member, undefined, depth + 1))
  }
  return spread(sum)
}

/** Like FNV-1a over pairs of UTF-16 code units. A rotation lets the second one reach all bits. */
export function hashText(text: string, start = 0): number {
  let hash = START ^ start
  const even = text.length & ~1
  for (let place = 0; place < even; place += 2) {
    const pair = text.charCodeAt(place) | (text.charCodeAt(place + 1) << 16)
    const product = Math.imul(hash ^ pair, PRIME)
    hash = (product << 15) | (product >>> 17)
  }
  if (even < text.length) hash = Math.imul(hash ^ text.charCodeAt(even), PRIME)
  return (hash ^ text.length) >>> 0
}

/** Lets every bit of the input change every bit of the result (the finalizer of MurmurHash3). */
function spread(value: number): number {
  let hash = value | 0
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
