const LEAST_CAPACITY_BYTES = 16 * 1024
const NOTHING = Buffer.alloc(0)

/**
 * Collects chunks of bytes into one buffer. Stored separately, chunks of one byte would take two
 * hundred times their size, and the sender decides their length. Memory: at most twice the bytes.
 */
export class GatheredBytes {
  /** A single chunk is returned as is. */
  #capacity: Buffer = NOTHING
  readonly #most: number
  size = 0

  /** Reserves at most `most` bytes ahead; for collections that end there. */
  constructor(most = Infinity) {
    this.#most = most
  }

  /** The bytes of memory that it uses after it has added so many more. */
  capacityWith(bytes: number): number {
    const size = this.size + bytes
    if (this.size === 0 || size <= this.#capacity.length)
      return Math.max(size, this.#capacity.length)
    const ahead = Math.max(2 * this.#capacity.length, LEAST_CAPACITY_BYTES)
    return Math.max(size, Math.min(ahead, this.#most))
  }

  add(part: Buffer): void {
    const size = this.size + part.length
    if (this.size === 0) this.#capacity = part
    else {
      if (size > this.#capacity.length) this.#grow(this.capacityWith(part.length))
      part.copy(this.#capacity, this.size)
    }
    this.size = size
  }

  /** All bytes received so far. */
  get bytes(): Buffer {
    return this.#capacity.length === this.size
      ? this.#capacity
      : this.#capacity.subarray(0, this.size)
  }

  #grow(bytes: number): void {
    const capacity = Buffer.allocUnsafeSlow(bytes)
    this.#capacity.copy(capacity, 0, 0, this.size)
    this.#capacity = capacity
  }
}
