import { NO_RANK, type TokenVocabulary } from './token-vocabulary.ts'

/** An order combines a rank with a position in these lower bits. */
const PLACE_MASK = 2 ** 16 - 1
const NO_ORDER = NO_RANK * 2 ** 16
/** The end of a pair without a next token: farther than any token reaches. */
const NOWHERE = PLACE_MASK
const MOST_SEARCHED_BYTES = 32

/**
 * Byte-pair encoding: merges the adjacent pair with the lowest rank, the leftmost among equals,
 * until no pair forms a token. A heap finds the pairs, so a word of n bytes takes n log n time.
 */
export class TokenMerger {
  readonly #vocabulary: TokenVocabulary
  /** By a token's start: the starts of the previous and the next token. */
  readonly #before: Uint16Array
  readonly #after: Uint16Array
  /** By a token's start: the order of its merge with the next token. */
  readonly #orders: Float64Array
  /** A binary min-heap. An order that no longer equals the one in `#orders` is stale. */
  readonly #heap: Float64Array
  /** For short pieces: the rank of each token joined with the next one. */
  readonly #ranks = new Uint32Array(MOST_SEARCHED_BYTES + 1)
  #heapSize = 0

  /** For pieces of at most `mostBytes`, at most 65 000. */
  constructor(vocabulary: TokenVocabulary, mostBytes: number) {
    this.#vocabulary = vocabulary
    this.#before = new Uint16Array(mostBytes + 1)
    this.#after = new Uint16Array(mostBytes + 1)
    this.#orders = new Float64Array(mostBytes)
    // Each merge removes at least one entry and adds at most two.
    this.#heap = new Float64Array(2 * mostBytes)
  }

  /** Counts the tokens of the first `length` bytes, which are one piece. */
  count(bytes: Uint8Array, length: number): number {
    return length <= MOST_SEARCHED_BYTES
      ? this.#countBySearch(bytes, length)
      : this.#countByHeap(bytes, length)
  }

  /** Scans all remaining pairs for each merge, which is faster than a heap for few bytes. */
  #countBySearch(bytes: Uint8Array, length: number): number {
    const [starts, ranks] = [this.#after, this.#ranks]
    for (let place = 0; place < length; place += 1) {
      starts[place] = place
      ranks[place] =
        place + 1 < length
          ? this.#vocabulary.rankOfPair(bytes[place] ?? 0, bytes[place + 1] ?? 0)
          : NO_RANK
    }
    starts[length] = length
    for (let count = length; ; count -= 1) {
      let least = NO_RANK
      let at = 0
      for (let index = 0; index < count; index += 1) {
        const rank = ranks[index] ?? NO_RANK
        if (rank < least) {
          least = rank
          at = index
        }
      }
      if (least === NO_RANK) return count
      for (let index = at + 1; index < count; index += 1) {
        starts[index] = starts[index + 1] ?? 0
        ranks[index] = ranks[index + 1] ?? NO_RANK
      }
      this.#rank(bytes, at, count - 1)
      if (at > 0) this.#rank(bytes, at - 1, count - 1)
    }
  }

  /** Updates the rank of the token at `index` joined with the next one, of `count` tokens. */
  #rank(bytes: Uint8Array, index: number, count: number): void {
    this.#ranks[index] =
      index + 2 <= count
        ? this.#vocabulary.rankOf(bytes, this.#after[index] ?? 0, this.#after[index + 2] ?? 0)
        : NO_RANK
  }

  #countByHeap(bytes: Uint8Array, length: number): number {
    const [before, after] = [this.#before, this.#after]
    for (let place = 0; place < length; place += 1) {
      before[place + 1] = place
      after[place] = place + 1
      this.#plan(bytes, place, place + 1 < length ? place + 2 : NOWHERE)
    }
    after[length] = NOWHERE
    let count = length
    while (this.#heapSize > 0) {
      const order = this.#takeLeast()
      const place = order & PLACE_MASK
      if (this.#orders[place] !== order) continue
      const joined = after[place] ?? 0
      const end = after[joined] ?? 0
      after[place] = end
      before[end] = place
      this.#orders[joined] = NO_ORDER
      this.#plan(bytes, place, after[end] ?? 0)
      if (place > 0) this.#plan(bytes, before[place] ?? 0, end)
      count -= 1
    }
    return count
  }

  /** `end` is the end of the token after the one at `place`. */
  #plan(bytes: Uint8Array, place: number, end: number): void {
    const rank = this.#vocabulary.rankOf(bytes, place, end)
    const order = rank === NO_RANK ? NO_ORDER : rank * 2 ** 16 + place
    this.#orders[place] = order
    if (order !== NO_ORDER) this.#put(order)
  }

  #put(order: number): void {
    const heap = this.#heap
    let index = this.#heapSize
    this.#heapSize += 1
    while (index > 0) {
      const parent = (index - 1) >> 1
      const above = heap[parent] ?? 0
      if (above <= order) break
      heap[index] = above
      index = parent
    }
    heap[index] = order
  }

  #takeLeast(): number {
    const heap = this.#heap
    const least = heap[0] ?? 0
    this.#heapSize -= 1
    const size = this.#heapSize
    const last = heap[size] ?? 0
    let index = 0
    for (let child = 1; child < size; child = 2 * index + 1) {
      if (child + 1 < size && (heap[child + 1] ?? 0) < (heap[child] ?? 0)) child += 1
      const below = heap[child] ?? 0
      if (below >= last) break
      heap[index] = below
      index = child
    }
    heap[index] = last
    return least
  }
}
