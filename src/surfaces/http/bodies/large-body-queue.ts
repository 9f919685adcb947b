/** Bodies above this are read one after the other. */
const LARGE_BYTES = 1024 * 1024

/**
 * Reads large bodies one in a turn of the event loop: each takes tens of milliseconds, in which nothing else is answered,
 * and several that came whole at the same moment would take them in a row.
 */
export class LargeBodyQueue {
  #last: Promise<void> = Promise.resolve()

  /** Runs `read` now, or for a large body after those before it and what else is waiting. */
  take(bytes: number, read: () => void): void {
    if (bytes <= LARGE_BYTES) read()
    else this.#last = this.#last.then(nextTurn).then(read)
  }
}

// Two, so that what came meanwhile is read and answered between.
function nextTurn(): Promise<void> {
  return new Promise((go) => setImmediate(() => setImmediate(go)))
}
