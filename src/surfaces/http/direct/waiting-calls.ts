/** A call that waits until the gateway has capacity for it. */
export type WaitingCall = {
  /** By `performance.now()`. */
  readonly arrivedMs: number
  /** False once its connection has closed. */
  readonly isWaiting: boolean
  start(): void
  reject(): void
}

/** A call that waited longer is not started: its response would come too late. */
export const STALE_MS = 500

/**
 * Calls that arrived during an overload. The newest starts first, which keeps the response times of
 * served calls short (adaptive LIFO). Memory: one request per connection.
 */
export class WaitingCalls {
  /** In the order of arrival, from `#oldest` on. */
  #calls: WaitingCall[] = []
  #oldest = 0

  get size(): number {
    return this.#calls.length - this.#oldest
  }

  add(call: WaitingCall): void {
    this.#calls.push(call)
  }

  /** Starts up to `count` calls. Returns how many more could start. */
  startNewest(count: number, nowMs: number): number {
    let free = count
    while (free > 0 && this.size > 0) {
      const newest = this.#calls.at(-1) as WaitingCall
      if (nowMs - newest.arrivedMs > STALE_MS) break
      this.#calls.pop()
      if (!newest.isWaiting) continue
      newest.start()
      free -= 1
    }
    return free
  }

  /** Rejects the calls that arrived at `untilMs` or before. */
  rejectOldest(untilMs: number): void {
    for (; this.size > 0; this.#oldest += 1) {
      const oldest = this.#calls[this.#oldest] as WaitingCall
      if (oldest.arrivedMs > untilMs) break
      if (oldest.isWaiting) oldest.reject()
    }
    // Copies the rest only when at least half of the list is done.
    if (this.#oldest * 2 < this.#calls.length) return
    this.#calls = this.#calls.slice(this.#oldest)
    this.#oldest = 0
  }

  /** Starts all, when the server stops. */
  startAll(): void {
    for (const call of this.#calls.splice(0).slice(this.#oldest)) if (call.isWaiting) call.start()
    this.#oldest = 0
  }
}
