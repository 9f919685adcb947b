// Failures further apart than this are no run.
const RUN_MS = 60_000
const FIRST_REST_MS = 5_000
const LONGEST_REST_MS = 60_000

/** Failures in a row, the rest that follows them, and the one call that tries after it. */
export class Run {
  /** A call tries whether the rest may end. */
  isTried = false
  #failures = 0
  #lastFailureMs = 0
  #restMs = 0
  #untilMs = 0

  get hasRested(): boolean {
    return this.#restMs > 0
  }

  /** How many it are with this one. */
  count(nowMs: number): number {
    this.#failures = nowMs - this.#lastFailureMs > RUN_MS ? 1 : this.#failures + 1
    this.#lastFailureMs = nowMs
    return this.#failures
  }

  /** Each rest is twice as long as the one before, up to a minute. */
  rest(nowMs: number): void {
    this.#restMs = this.#restMs === 0 ? FIRST_REST_MS : Math.min(this.#restMs * 2, LONGEST_REST_MS)
    this.#untilMs = nowMs + this.#restMs
    this.isTried = false
  }

  /** Milliseconds until a call may try, which lets others go first for a while; 0 when it may. */
  waitMs(nowMs: number, giveWayMs = 0): number {
    return Math.max(this.isTried ? 1 : 0, this.#untilMs + giveWayMs - nowMs)
  }
}
