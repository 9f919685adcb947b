// Below this, a failure may be chance; a vendor that is down fails them all.
const FAILURES_IN_A_ROW = 5
// Failures further apart than this are no run.
const RUN_MS = 60_000
const FIRST_REST_MS = 5_000
const LONGEST_REST_MS = 60_000

/**
 * Leaves a vendor alone that fails again and again. A run of failures opens it: nobody asks for five seconds. Then one
 * call at a time tries; one that is answered closes it, one that fails doubles the rest, up to a minute.
 */
export class Breaker {
  #failures = 0
  #lastFailureMs = 0
  /** How long it rests when it is open; 0 when it is closed. */
  #restMs = 0
  #openUntilMs = 0
  #isProbing = false

  get isClosed(): boolean {
    return this.#restMs === 0
  }

  /** Closed, and nothing failed lately. */
  get isSound(): boolean {
    return this.#restMs === 0 && this.#failures === 0
  }

  /** Milliseconds for which nobody may ask; 0 when a call may try. */
  restMs(nowMs: number): number {
    if (this.isClosed) return 0
    return this.#isProbing ? Math.max(1, this.#openUntilMs - nowMs) : Math.max(0, this.#openUntilMs - nowMs)
  }

  /** Lets the one call go that tries an open breaker; it ends with `answered`, `failed` or `undecided`. */
  probe(): void {
    this.#isProbing = true
  }

  /** Any answer is a sign of life, also a refusal. While open, only that of the probe counts. */
  answered(isProbe: boolean): void {
    if (!this.isClosed && !isProbe) return
    this.#failures = 0
    this.#restMs = 0
    this.#isProbing = false
  }

  failed(isProbe: boolean, nowMs: number): void {
    if (this.isClosed) {
      this.#failures = nowMs - this.#lastFailureMs > RUN_MS ? 1 : this.#failures + 1
      this.#lastFailureMs = nowMs
      if (this.#failures >= FAILURES_IN_A_ROW) this.#open(FIRST_REST_MS, nowMs)
    } else if (isProbe) {
      this.#open(Math.min(this.#restMs * 2, LONGEST_REST_MS), nowMs)
    }
  }

  /** The call was given up before it could tell anything. */
  undecided(isProbe: boolean): void {
    if (isProbe) this.#isProbing = false
  }

  #open(restMs: number, nowMs: number): void {
    this.#restMs = restMs
    this.#openUntilMs = nowMs + restMs
    this.#isProbing = false
  }
}
