import { FailureRun } from './failure-run.ts'

// Fewer failures may be chance; a vendor that is down fails every request.
const FAILURES_IN_A_ROW = 5
// Two accounts may fail alternately to block others. A vendor that is down fails every account.
const ACCOUNTS_FOR_ALL = 3
// Bounds memory. Further accounts do not yield.
const MOST_ACCOUNTS = 1_000
// For so long after a rest, other accounts may try before those that yield.
const YIELD_MS = 5_000
// Much longer than a rest: accounts that make a vendor fail at will delay others by one probe in
// this time.
const REFUTED_MS = 600_000

/** A caller that allowed less time cannot count a timeout as a vendor failure. */
export const FAIR_TIME_MS = 5_000

/** A request through the breaker. */
export type BreakerCall = {
  /** Whether this request probes an open breaker. */
  readonly isProbe: boolean
  readonly accountId: string
}

/**
 * The state while open for all. Accounts with failures and the others rest and probe separately, so
 * that the former cannot block the latter.
 */
type ForAll = { readonly known: FailureRun; readonly others: FailureRun }

/**
 * A circuit breaker. A run of failures opens it; after a rest, one call at a time probes. Each
 * account has its own run, because its requests may be the cause. A run of three or more accounts
 * opens it for all, unless another account's probe succeeds. The README describes the rules.
 */
export class Breaker {
  /** Failures by account since the last response. */
  readonly #runs = new Map<string, FailureRun>()
  /** Failures of all accounts that were not refuted recently. */
  #run = new FailureRun()
  readonly #witnesses = new Set<string>()
  #forAll: ForAll | null = null
  /**
   * Until when an account opens the breaker only for itself, because the vendor responded to others
   * while it failed.
   */
  readonly #refutedUntilMs = new Map<string, number>()

  isClosedFor(accountId: string): boolean {
    return this.#forAll === null && this.#runs.get(accountId)?.hasRested !== true
  }

  get isOpen(): boolean {
    return this.#forAll !== null || this.#runs.values().some(({ hasRested }) => hasRested)
  }

  /** Closed and without recent failures. */
  get isSound(): boolean {
    return this.#runs.size === 0
  }

  /** How long the account must wait, in milliseconds; 0 if a call may probe. */
  restMs(accountId: string, nowMs: number): number {
    if (this.isClosedFor(accountId)) return 0
    const run = this.#runOf(accountId)
    return run?.waitMs(nowMs, run === this.#forAll?.known ? YIELD_MS : 0) ?? 0
  }

  /** Starts the account's probe. It must end with `answered`, `failed` or `undecided`. */
  probe(accountId: string): void {
    const run = this.#runOf(accountId)
    if (run !== undefined) run.isTried = true
  }

  /**
   * Any response counts, also a rejection. While open, only that of the probe, or of an account for
   * which it is closed.
   */
  answered({ isProbe, accountId }: BreakerCall, nowMs: number): void {
    if (this.isSound || (!isProbe && !this.isClosedFor(accountId))) return
    if (this.#forAll !== null && this.#runOf(accountId) === this.#forAll.others) this.#refute(nowMs)
    this.#forAll = null
    this.#runs.clear()
    this.#run = new FailureRun()
  }

  failed({ isProbe, accountId }: BreakerCall, nowMs: number): void {
    if (this.isClosedFor(accountId)) this.#count(accountId, nowMs)
    else if (isProbe) this.#restAgain(accountId, nowMs)
  }

  /** The call was aborted without a result. */
  undecided({ isProbe, accountId }: BreakerCall): void {
    const run = this.#runOf(accountId)
    if (isProbe && run !== undefined) run.isTried = false
  }

  #runOf(accountId: string): FailureRun | undefined {
    const own = this.#runs.get(accountId)
    return this.#forAll === null
      ? own
      : own === undefined
        ? this.#forAll.others
        : this.#forAll.known
  }

  #count(accountId: string, nowMs: number): void {
    const own = this.#store(accountId)
    if (own.count(nowMs) >= FAILURES_IN_A_ROW) own.rest(nowMs)
    if ((this.#refutedUntilMs.get(accountId) ?? 0) > nowMs) return
    const failures = this.#run.count(nowMs)
    if (failures === 1) this.#witnesses.clear()
    this.#witnesses.add(accountId)
    if (failures < FAILURES_IN_A_ROW || this.#witnesses.size < ACCOUNTS_FOR_ALL) return
    this.#forAll = { known: new FailureRun(), others: new FailureRun() }
    this.#forAll.known.rest(nowMs)
  }

  #restAgain(accountId: string, nowMs: number): void {
    const run = this.#runOf(accountId)
    run?.rest(nowMs)
    if (run !== this.#forAll?.others) return
    this.#forAll?.known.rest(nowMs)
    this.#store(accountId)
  }

  #store(accountId: string): FailureRun {
    const own = this.#runs.get(accountId) ?? new FailureRun()
    if (this.#runs.size < MOST_ACCOUNTS) this.#runs.set(accountId, own)
    return own
  }

  #refute(nowMs: number): void {
    for (const accountId of this.#runs.keys()) {
      this.#refutedUntilMs.delete(accountId)
      this.#refutedUntilMs.set(accountId, nowMs + REFUTED_MS)
    }
    for (const oldest of this.#refutedUntilMs
      .keys()
      .take(Math.max(0, this.#refutedUntilMs.size - MOST_ACCOUNTS)))
      this.#refutedUntilMs.delete(oldest)
  }
}
