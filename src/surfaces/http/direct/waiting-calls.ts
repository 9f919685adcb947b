/** A call that waits until the gateway starts or rejects it. */
export type WaitingCall = {
  /** The account, or the address of a caller with an unknown key. */
  readonly group: string
  /** By `performance.now()`. */
  readonly arrivedMs: number
  /** Its client did not wait for the Retry-After of its last call. */
  readonly isEarly: boolean
  /** False once its connection has closed. */
  readonly isWaiting: boolean
  start(): void
  reject(): void
}

/** While its oldest call waited less, a group is served in the order of arrival. */
const ORDERED_MS = 250
/** A call that waited longer is not started: its response would take about a second. */
export const STALE_MS = 750
/**
 * A call whose client ignored the Retry-After of the last one is rejected later: rejecting each of
 * them immediately would keep the gateway busy with rejections.
 */
export const EARLY_REJECTED_AFTER_MS = 3_000
/** Bounds memory and connections. Above it the oldest calls are rejected before their time. */
export const MOST_WAITING = 4_000

/** `call` is null once it was started or rejected. */
type Entry = { call: WaitingCall | null; readonly arrivedMs: number }

/**
 * Calls that arrived during an overload. Groups alternate. A group that waits for long starts its newest
 * call first, which keeps the response times of started calls short (adaptive LIFO).
 */
export class WaitingCalls {
  readonly #groups = new Map<string, Arrivals>()
  readonly #punctual = new Arrivals()
  readonly #early = new Arrivals()
  #size = 0

  get size(): number {
    return this.#size
  }

  /** Whether a call waits that may still start. */
  get isContended(): boolean {
    return this.#groups.size > 0
  }

  add(call: WaitingCall): void {
    const entry: Entry = { call, arrivedMs: call.arrivedMs }
    const { group: name } = call
    let group = this.#groups.get(name)
    if (group === undefined) this.#groups.set(name, (group = new Arrivals()))
    group.add(entry)
    ;(call.isEarly ? this.#early : this.#punctual).add(entry)
    this.#size += 1
  }

  /** Starts a call of the next group. Returns false when no call may start. */
  startNext(nowMs: number): boolean {
    for (const [name, group] of this.#groups) {
      this.#groups.delete(name)
      const call = this.#next(group, nowMs)
      if (call === null) continue
      // At the end: every other group comes first.
      if (group.oldest !== undefined) this.#groups.set(name, group)
      call.start()
      return true
    }
    return false
  }

  /** Rejects the calls that waited too long, and the oldest above the limit. Returns their number. */
  rejectOld(nowMs: number): number {
    let rejected = 0
    const rejectWhile = (arrivals: Arrivals, isTooOld: (entry: Entry) => boolean): void => {
      for (let entry = arrivals.oldest; entry && isTooOld(entry); entry = arrivals.oldest) {
        const call = this.#take(entry)
        if (call === null) continue
        call.reject()
        rejected += 1
      }
    }
    rejectWhile(this.#punctual, ({ arrivedMs }) => nowMs - arrivedMs >= STALE_MS)
    rejectWhile(this.#early, ({ arrivedMs }) => nowMs - arrivedMs >= EARLY_REJECTED_AFTER_MS)
    for (const arrivals of [this.#early, this.#punctual])
      rejectWhile(arrivals, () => this.#size > MOST_WAITING)
    return rejected
  }

  /** Starts all, when the server stops. */
  startAll(): void {
    this.#groups.clear()
    for (const arrivals of [this.#punctual, this.#early])
      for (let entry = arrivals.oldest; entry; entry = arrivals.oldest) this.#take(entry)?.start()
  }

  /** Null if the group has no call that may still start. */
  #next(group: Arrivals, nowMs: number): WaitingCall | null {
    for (let oldest = group.oldest; oldest; oldest = group.oldest) {
      const entry = nowMs - oldest.arrivedMs < ORDERED_MS ? oldest : (group.newest ?? oldest)
      if (nowMs - entry.arrivedMs >= STALE_MS) return null
      const call = this.#take(entry)
      if (call !== null) return call
    }
    return null
  }

  /** Ends the wait of this call. Null if its connection has closed. */
  #take(entry: Entry): WaitingCall | null {
    const { call } = entry
    entry.call = null
    this.#size -= 1
    return call?.isWaiting === true ? call : null
  }
}

/** Entries in the order of their arrival, without those whose wait has ended. */
class Arrivals {
  #entries: Entry[] = []
  #oldest = 0

  get oldest(): Entry | undefined {
    while (this.#entries[this.#oldest]?.call === null) this.#oldest += 1
    // Copies the rest only when at least half of the list is done.
    if (this.#oldest > 0 && this.#oldest * 2 >= this.#entries.length) {
      this.#entries = this.#entries.slice(this.#oldest)
      this.#oldest = 0
    }
    return this.#entries[this.#oldest]
  }

  get newest(): Entry | undefined {
    while (this.#entries.length > this.#oldest && this.#entries.at(-1)?.call === null)
      this.#entries.pop()
    return this.#entries.length > this.#oldest ? this.#entries.at(-1) : undefined
  }

  add(entry: Entry): void {
    this.#entries.push(entry)
  }
}
