import { AppError } from '../../errors/app-error.ts'
import type { SharedRoom } from '../../lib/fairness/shared-room.ts'
import { END_MARK, errorEvent } from './write-events.ts'

// As much as the longest answer that may be asked for takes, several times over.
const MOST_BYTES = 16 * 1024 * 1024
/** Of all answers that are being recorded in a process. */
export const MOST_RECORDED_BYTES = 256 * 1024 * 1024

/** What was sent of a stream, for a replay. Memory: `room` is shared by all recordings of the process; one for which there is none is given up. */
export class Recording {
  readonly #room: SharedRoom
  readonly #accountId: string
  #isWhole = true
  #size = 0
  #kept: Buffer[] = []

  constructor(room: SharedRoom, accountId: string) {
    this.#room = room
    this.#accountId = accountId
  }

  add(events: Buffer): void {
    if (!this.#isWhole) return
    if (this.#size + events.length > MOST_BYTES || !this.#take(events.length)) {
      this.#isWhole = false
      return
    }
    this.#size += events.length
    this.#kept.push(events)
  }

  textWith(last: string): string {
    const end = this.#isWhole
      ? last
      : errorEvent(
          new AppError(
            'payload_too_large',
            'The rest of this answer was too long to be stored for a replay.',
          ),
        ) + END_MARK
    // PostgreSQL keeps no zero bytes, and JSON has none.
    return `${Buffer.concat(this.#kept).toString('utf8').replaceAll('\0', '')}${end}`
  }

  /** To be called when the answer is stored. */
  end(): void {
    this.#room.giveBack(this.#accountId, this.#size)
    this.#size = 0
    this.#kept = []
  }

  #take(bytes: number): boolean {
    try {
      this.#room.take(this.#accountId, bytes)
      return true
    } catch {
      return false
    }
  }
}
