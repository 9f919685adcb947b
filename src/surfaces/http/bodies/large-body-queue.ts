/** Larger bodies are parsed one after another. */
const LARGE_BYTES = 1024 * 1024

/**
 * Parses large bodies one per turn of the event loop. Each blocks the process for tens of milliseconds,
 * and several in a row would delay every other request.
 */
export class LargeBodyQueue {
  #last: Promise<void> = Promise.resolve()

  /** Runs `parse` immediately, or for a large body after earlier large bodies and other waiting work. */
  run(bytes: number, parse: () => void): void {
    if (bytes <= LARGE_BYTES) parse()
    else this.#last = this.#last.then(nextTurn).then(parse)
  }
}

// Two turns, so that requests that arrived meanwhile are read and answered in between.
function nextTurn(): Promise<void> {
  return new Promise((go) => setImmediate(() => setImmediate(go)))
}
