const LEAST_ROOM_BYTES = 16 * 1024
const NOTHING = Buffer.alloc(0)

/**
 * Collects chunks of bytes into one buffer. Stored separately, chunks of one byte would take two
 * hundred times their size, and the sender decides their length. Memory: at most twice the bytes.
 */
export class GatheredBytes {
  /** A single chunk is returned as is. */
  #room: Buffer = NOTHING
  size = 0

  add(part: Buffer): void {
    const size = this.size + part.length
    if (this.size === 0) this.#room = part
    else {
      if (size > this.#room.length)
        this.#grow(Math.max(size, 2 * this.#room.length, LEAST_ROOM_BYTES))
      part.copy(this.#room, this.size)
    }
    this.size = size
  }

  /** All bytes received so far. */
  get bytes(): Buffer {
    return this.#room.length === this.size ? this.#room : this.#room.subarray(0, this.size)
  }

  #grow(bytes: number): void {
    const room = Buffer.allocUnsafeSlow(bytes)
    this.#room.copy(room, 0, 0, this.size)
    this.#room = room
  }
}
