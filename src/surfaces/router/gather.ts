// Few models produce more than 250 events a second, so most events are never delayed.
const GATHER_MS = 4
const LARGEST_GATHERED_BYTES = 16 * 1024

type Waiting = { flush(): void }

let waiting: Waiting[] = []

// One timer serves all responses of the process. It runs only while events wait.
function flushSoon(one: Waiting): void {
  if (waiting.length === 0) setTimeout(flushAll, GATHER_MS)
  waiting.push(one)
}

function flushAll(): void {
  const due = waiting
  waiting = []
  for (const one of due) one.flush()
}

/**
 * Writes bursts of events together. An event that follows the last write within GATHER_MS waits for
 * later events, at most GATHER_MS. For sender and receiver a write to a socket is the largest cost
 * of an event.
 */
export class Gatherer {
  readonly #write: (bytes: Buffer) => void
  readonly #now: () => number
  #pending: Buffer[] = []
  #size = 0
  #lastMs = Number.NEGATIVE_INFINITY

  /** `now` returns milliseconds with fractions. */
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

  /** Removes and returns the waiting bytes, which the caller writes. */
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
