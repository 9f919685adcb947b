import { GatheredBytes } from '../../lib/gathered-bytes.ts'
import { endOfLastEvent } from './read-event.ts'

// One event may contain the whole response: its instructions, its tools, or images as base64.
export const LONGEST_EVENT_BYTES = 16 * 1024 * 1024

/** The longest event separator is `\n\r\n`, which may be split anywhere. */
const BYTES_BEFORE_LAST_OF_SEPARATOR = 2

/** Assembles complete events from chunks. Never scans stored bytes again. */
export class WholeEvents {
  #carry: GatheredBytes | null = null

  /** The incomplete event; null without one. */
  get rest(): Buffer | null {
    return this.#carry?.bytes ?? null
  }

  /** The events that end in the chunk, or null. */
  push(chunk: Buffer): Buffer | null {
    const seen = Math.max(0, (this.#carry?.size ?? 0) - BYTES_BEFORE_LAST_OF_SEPARATOR)
    this.#carry?.add(chunk)
    const bytes = this.#carry?.bytes ?? chunk
    const end = endOfLastEvent(bytes.subarray(seen))
    if (end > 0) this.#carry = null
    const whole = end === 0 ? null : bytes.subarray(0, seen + end)
    if (this.#carry === null && bytes.length > (whole?.length ?? 0))
      (this.#carry = new GatheredBytes()).add(bytes.subarray(whole?.length ?? 0))
    return whole
  }
}
