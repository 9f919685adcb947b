/**
 * Writes less often where events come in bursts: one that follows the last within four milliseconds waits for those after
 * it, four milliseconds at most. A write to a socket costs more than all else about an event, here and where it is read.
 * Slower events are never delayed, and few models are faster than 250 a second.
 */
const GATHER_MS = 4
const LARGEST_GATHERED_BYTES = 16 * 1024

type Waiting = { flush(): void }

let waiting: Waiting[] = []

// One timer for all answers of the process; there is none while nothing waits.
function flushSoon(one: Waiting): void {
  if (waiting.length === 0) setTimeout(flushAll, GATHER_MS)
  waiting.push(one)
}

function flushAll(): void {
  const due = waiting
  waiting = []
  for (const one of due) one.flush()
}

export class Gatherer {
  readonly #write: (bytes: Buffer) => void
  readonly #now: () => number
  #pending: Buffer[] = []
  #size = 0
  #lastMs = Number.NEGATIVE_INFINITY

  /** `now` in milliseconds with fractions. */
  constructor(write: (bytes: Buffer) => void, now = () => performance.now()) {
    this.#write = write
    this.#now = now
  }

  add(bytes: Buffer): void {
    if (this.#size === 0) {
      const nowMs = this.#now()
      if (nowMs - this.#lastMs >= GATHER_MS) {
        this.#lastMs = nowMs
        this.#write(bytes)
        return
      }
      flushSoon(this)
    }
    this.#pending.push(bytes)
    this.#size += bytes.length
    if (this.#size >= LARGEST_GATHERED_BYTES) this.flush()
  }

  /** What waits, to be written by somebody else. */
  take(): Buffer[] {
    this.#size = 0
    return this.#pending.splice(0)
  }

  flush(): void {
    if (this.#size === 0) return
    this.#lastMs = this.#now()
    this.#write(Buffer.concat(this.take()))
  }
}
