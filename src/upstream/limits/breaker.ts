import { Run } from './run.ts'

// Below this, a failure may be chance; a vendor that is down fails them all.
const FAILURES_IN_A_ROW = 5
// Two may fail in turns to shut others out; a vendor that is down fails whoever comes.
const ACCOUNTS_FOR_ALL = 3
// Bounds memory; those that are not kept do not give way.
const MOST_ACCOUNTS = 1_000
// So long after a rest others may try before the accounts that give way.
const GIVE_WAY_MS = 5_000
// Long beside a rest: who can make a vendor fail at will has others shut out for one try in this time, and no more.
const REFUTED_MS = 600_000

/** Who gave less than this has no right to call a vendor slow. */
export const FAIR_TIME_MS = 5_000

/** A call that went, or wants to go, to what the breaker stands before. */
export type BreakerCall = {
  /** It is the one that tries an open breaker. */
  readonly isProbe: boolean
  readonly accountId: string
}

/** While it is open for all. Those whose calls failed and everybody else rest and try by themselves, so that none of the first keeps the others from it. */
type ForAll = { readonly known: Run; readonly others: Run }

/**
 * Leaves a vendor alone that fails again and again. A run of failures opens it: nobody asks for five seconds. Then one
 * call at a time tries; one that is answered closes it, one that fails doubles the rest, up to a minute.
 * What an account asks for may be what breaks the vendor, and nobody else is to be kept out by that. So an account
 * that fails has a run of its own; a run of three or more opens it for all, but one who had no part in it may try at
 * once; and where that one is answered, the run proved nothing: for a while those of it open it for themselves alone.
 */
export class Breaker {
  /** Of accounts whose calls and tries failed since the last answer. */
  readonly #runs = new Map<string, Run>()
  /** Of accounts that were not refuted lately, together. */
  #run = new Run()
  readonly #witnesses = new Set<string>()
  #forAll: ForAll | null = null
  /** Until when accounts open it for themselves alone: the vendor answered others while it failed them. */
  readonly #refutedUntilMs = new Map<string, number>()

  isClosedFor(accountId: string): boolean {
    return this.#forAll === null && this.#runs.get(accountId)?.hasRested !== true
  }

  get isOpen(): boolean {
    return this.#forAll !== null || this.#runs.values().some(({ hasRested }) => hasRested)
  }

  /** Closed, and nothing failed lately. */
  get isSound(): boolean {
    return this.#runs.size === 0
  }

  /** Milliseconds for which the account may not ask; 0 when a call may try. */
  restMs(accountId: string, nowMs: number): number {
    if (this.isClosedFor(accountId)) return 0
    const run = this.#runOf(accountId)
    return run?.waitMs(nowMs, run === this.#forAll?.known ? GIVE_WAY_MS : 0) ?? 0
  }

  /** Lets the one call of the account go that tries an open breaker; it ends with `answered`, `failed` or `undecided`. */
  probe(accountId: string): void {
    const run = this.#runOf(accountId)
    if (run !== undefined) run.isTried = true
  }

  /** Any answer is a sign of life, also a refusal. While open, only that of the probe counts, or of an account that it is not open for. */
  answered({ isProbe, accountId }: BreakerCall, nowMs: number): void {
    if (this.isSound || (!isProbe && !this.isClosedFor(accountId))) return
    if (this.#forAll !== null && this.#runOf(accountId) === this.#forAll.others) this.#refute(nowMs)
    this.#forAll = null
    this.#runs.clear()
    this.#run = new Run()
  }

  failed({ isProbe, accountId }: BreakerCall, nowMs: number): void {
    if (this.isClosedFor(accountId)) this.#count(accountId, nowMs)
    else if (isProbe) this.#restAgain(accountId, nowMs)
  }

  /** The call was given up before it could tell anything. */
  undecided({ isProbe, accountId }: BreakerCall): void {
    const run = this.#runOf(accountId)
    if (isProbe && run !== undefined) run.isTried = false
  }

  #runOf(accountId: string): Run | undefined {
    const own = this.#runs.get(accountId)
    return this.#forAll === null
      ? own
      : own === undefined
        ? this.#forAll.others
        : this.#forAll.known
  }

  #count(accountId: string, nowMs: number): void {
    const own = this.#keep(accountId)
    if (own.count(nowMs) >= FAILURES_IN_A_ROW) own.rest(nowMs)
    if ((this.#refutedUntilMs.get(accountId) ?? 0) > nowMs) return
    const failures = this.#run.count(nowMs)
    if (failures === 1) this.#witnesses.clear()
    this.#witnesses.add(accountId)
    if (failures < FAILURES_IN_A_ROW || this.#witnesses.size < ACCOUNTS_FOR_ALL) return
    this.#forAll = { known: new Run(), others: new Run() }
    this.#forAll.known.rest(nowMs)
  }

  #restAgain(accountId: string, nowMs: number): void {
    const run = this.#runOf(accountId)
    run?.rest(nowMs)
    if (run !== this.#forAll?.others) return
    this.#forAll?.known.rest(nowMs)
    this.#keep(accountId)
  }

  #keep(accountId: string): Run {
    const own = this.#runs.get(accountId) ?? new Run()
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
