// Below this, a failure may be chance; a vendor that is down fails them all.
const FAILURES_IN_A_ROW = 5
// Two may fail in turns to shut others out; a vendor that is down fails whoever comes.
const ACCOUNTS_FOR_ALL = 3
// Bounds memory; those that are not kept do not give way.
const MOST_ACCOUNTS = 1_000
// Failures further apart than this are no run.
const RUN_MS = 60_000
const FIRST_REST_MS = 5_000
const LONGEST_REST_MS = 60_000
// So long after a rest others may try before the accounts that give way.
const GIVE_WAY_MS = 5_000

/** A call that went, or wants to go, to what the breaker stands before. */
export type BreakerCall = {
  /** It is the one that tries an open breaker. */
  readonly isProbe: boolean
  readonly accountId: string
}

/**
 * Leaves a vendor alone that fails again and again. A run of failures opens it: nobody asks for five seconds. Then one
 * call at a time tries; one that is answered closes it, one that fails doubles the rest, up to a minute.
 * A run of the calls of one or two accounts opens it for them alone: what they ask for may be what breaks the vendor,
 * and nobody else is to be kept out by that. For the same reason accounts whose calls or tries failed let others try
 * before them where it is open for all: else who asks without end would make every try.
 */
export class Breaker {
  #failures = 0
  #lastFailureMs = 0
  /** Whose calls and tries failed in the run. */
  readonly #accounts = new Set<string>()
  /** How long it rests when it is open; 0 when it is closed. */
  #restMs = 0
  #openUntilMs = 0
  #isProbing = false

  isClosedFor(accountId: string): boolean {
    return this.#restMs === 0 || (!this.#isForAll && !this.#accounts.has(accountId))
  }

  get #isForAll(): boolean {
    return this.#accounts.size >= ACCOUNTS_FOR_ALL
  }

  get isOpen(): boolean {
    return this.#restMs > 0
  }

  /** Closed, and nothing failed lately. */
  get isSound(): boolean {
    return this.#restMs === 0 && this.#failures === 0
  }

  /** Milliseconds for which the account may not ask; 0 when a call may try. */
  restMs(accountId: string, nowMs: number): number {
    if (this.isClosedFor(accountId)) return 0
    const untilMs = this.#openUntilMs + (this.#isForAll && this.#accounts.has(accountId) ? GIVE_WAY_MS : 0)
    return Math.max(this.#isProbing ? 1 : 0, untilMs - nowMs)
  }

  /** Lets the one call go that tries an open breaker; it ends with `answered`, `failed` or `undecided`. */
  probe(): void {
    this.#isProbing = true
  }

  /** Any answer is a sign of life, also a refusal. While open, only that of the probe counts, or of an account that it is not open for. */
  answered({ isProbe, accountId }: BreakerCall): void {
    if (!isProbe && !this.isClosedFor(accountId)) return
    this.#failures = 0
    this.#restMs = 0
    this.#isProbing = false
  }

  failed({ isProbe, accountId }: BreakerCall, nowMs: number): void {
    if (this.isClosedFor(accountId)) {
      this.#count(accountId, nowMs)
      if (this.#failures >= FAILURES_IN_A_ROW) this.#open(FIRST_REST_MS, nowMs)
    } else if (isProbe) {
      this.#add(accountId)
      this.#open(Math.min(this.#restMs * 2, LONGEST_REST_MS), nowMs)
    }
  }

  /** The call was given up before it could tell anything. */
  undecided({ isProbe }: BreakerCall): void {
    if (isProbe) this.#isProbing = false
  }

  #count(accountId: string, nowMs: number): void {
    const isNewRun = this.#failures === 0 || nowMs - this.#lastFailureMs > RUN_MS
    if (isNewRun) {
      this.#accounts.clear()
      // Whom it was open for may ask again too, as after an answer to anybody else.
      this.#restMs = 0
      this.#isProbing = false
    }
    this.#add(accountId)
    this.#failures = isNewRun ? 1 : this.#failures + 1
    this.#lastFailureMs = nowMs
  }

  #add(accountId: string): void {
    if (this.#accounts.size < MOST_ACCOUNTS) this.#accounts.add(accountId)
  }

  #open(restMs: number, nowMs: number): void {
    this.#restMs = restMs
    this.#openUntilMs = nowMs + restMs
    this.#isProbing = false
  }
}
