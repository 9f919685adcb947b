import { AppError } from '../../errors/app-error.ts'
import type { SharedCapacity } from '../../lib/fairness/shared-capacity.ts'

// Several times the longest possible response.
const MOST_BYTES = 16 * 1024 * 1024
/** Memory for all recordings of a process. */
export const MOST_RECORDED_BYTES = 256 * 1024 * 1024

/**
 * The sent part of a stream, stored for replays. All recordings share `capacity`; a recording that
 * exceeds it is truncated.
 */
export class Recording {
  readonly #capacity: SharedCapacity
  readonly #accountId: string
  #isWhole = true
  #size = 0
  #events: Buffer[] = []

  constructor(capacity: SharedCapacity, accountId: string) {
    this.#capacity = capacity
    this.#accountId = accountId
  }

  add(events: Buffer): void {
    if (!this.#isWhole) return
    if (this.#size + events.length > MOST_BYTES || !this.#take(events.length)) {
      this.#isWhole = false
      return
    }
    this.#size += events.length
    this.#events.push(events)
  }

  /** The stored events with the last ones. `writeFailure` writes the end of an incomplete recording. */
  textWith(last: string, writeFailure: (error: AppError) => string): string {
    const end = this.#isWhole
      ? last
      : writeFailure(
          new AppError(
            'payload_too_large',
            'The rest of this response was too long to be stored for a replay.',
          ),
        )
    return this.#textWith(end)
  }

  /** Null for an incomplete recording. */
  wholeTextWith(last: string): string | null {
    return this.#isWhole ? this.#textWith(last) : null
  }

  #textWith(end: string): string {
    // PostgreSQL cannot store zero bytes, and JSON contains none.
    return `${Buffer.concat(this.#events).toString('utf8').replaceAll('\0', '')}${end}`
  }

  /** Call when the response is stored. */
  end(): void {
    this.#capacity.giveBack(this.#accountId, this.#size)
    this.#size = 0
    this.#events = []
  }

  #take(bytes: number): boolean {
    try {
      this.#capacity.take(this.#accountId, bytes)
      return true
    } catch {
      return false
    }
  }
}
