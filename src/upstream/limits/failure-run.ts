// Failures further apart do not belong to one run.
const RUN_MS = 60_000
const FIRST_REST_MS = 5_000
const LONGEST_REST_MS = 60_000

/** A run of failures, the rest that follows, and the call that probes after it. */
export class FailureRun {
  /** A call is probing. */
  isTried = false
  #failures = 0
  #lastFailureMs = 0
  #restMs = 0
  #untilMs = 0

  get hasRested(): boolean {
    return this.#restMs > 0
  }

  /** Counts a failure and returns the length of the run. */
  count(nowMs: number): number {
    this.#failures = nowMs - this.#lastFailureMs > RUN_MS ? 1 : this.#failures + 1
    this.#lastFailureMs = nowMs
    return this.#failures
  }

  /** Starts a rest. Each is twice as long as the one before, up to a minute. */
  rest(nowMs: number): void {
    this.#restMs = this.#restMs === 0 ? FIRST_REST_MS : Math.min(this.#restMs * 2, LONGEST_REST_MS)
    this.#untilMs = nowMs + this.#restMs
    this.isTried = false
  }

  /**
   * Milliseconds until a call may probe; 0 if it may now. `giveWayMs` is an extra wait that lets
   * other accounts go first.
   */
  waitMs(nowMs: number, giveWayMs = 0): number {
    return Math.max(this.isTried ? 1 : 0, this.#untilMs + giveWayMs - nowMs)
  }
}
