const LEAST_ROOM_BYTES = 16 * 1024
const NOTHING = Buffer.alloc(0)

/**
 * Bytes that come in parts, as one. Kept each for itself, parts of a byte take two hundred times what is in them, and whoever
 * sends decides how long they are. Memory: twice what came, at most.
 */
export class GatheredBytes {
  /** Of a single part, the part itself. */
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

  /** All that came; what comes later is not in it. */
  get bytes(): Buffer {
    return this.#room.length === this.size ? this.#room : this.#room.subarray(0, this.size)
  }

  #grow(bytes: number): void {
    const room = Buffer.allocUnsafeSlow(bytes)
    this.#room.copy(room, 0, 0, this.size)
    this.#room = room
  }
}
