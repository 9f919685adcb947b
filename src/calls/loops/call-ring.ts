/** A finished paid call. Numbers stand for contents: equal numbers mean equal contents. */
export type RingCall = {
  /** `service/action`. */
  readonly action: number
  /** The action and its parameters. */
  readonly request: number
  /** 0 if the answer was not compared. */
  readonly answer: number
  readonly outcome: LoopOutcome
  /** Micro-dollars. */
  readonly cost: number
  readonly atMs: number
}

/**
 * `outage`: the vendor, the operator or the gateway failed. Such calls are repeated for a reason, so
 * they never stop a key.
 */
export const LOOP_OUTCOMES = ['ok', 'empty', 'failed', 'outage'] as const
export type LoopOutcome = (typeof LOOP_OUTCOMES)[number]

/** Calls that the rules look back on. */
export const MOST_CALLS = 64

const FIRST_CALLS = 8
const ROW_BYTES = 32
const [DOUBLES, WORDS] = [ROW_BYTES / 8, ROW_BYTES / 4]

/** The last 64 paid calls of a key, in 32 bytes each. Most keys need few, so it grows. */
export class CallRing {
  #doubles = new Float64Array(FIRST_CALLS * DOUBLES)
  #words = new Uint32Array(this.#doubles.buffer)
  #next = 0
  size = 0

  push({ action, request, answer, outcome, cost, atMs }: RingCall): void {
    if (this.size === this.#capacity && this.size < MOST_CALLS) this.#grow()
    const [double, word] = [this.#next * DOUBLES, this.#next * WORDS + 4]
    this.#doubles[double] = atMs
    this.#doubles[double + 1] = cost
    this.#words[word] = action
    this.#words[word + 1] = request
    this.#words[word + 2] = answer
    this.#words[word + 3] = LOOP_OUTCOMES.indexOf(outcome)
    this.#next = (this.#next + 1) % this.#capacity
    this.size = Math.min(this.size + 1, this.#capacity)
  }

  /** The call `back` places before the newest, for `back` below `size`. */
  at(back: number): RingCall {
    const row = this.#row(back)
    const word = row * WORDS + 4
    return {
      atMs: this.#doubles[row * DOUBLES] ?? 0,
      cost: this.#doubles[row * DOUBLES + 1] ?? 0,
      action: this.#words[word] ?? 0,
      request: this.#words[word + 1] ?? 0,
      answer: this.#words[word + 2] ?? 0,
      outcome: LOOP_OUTCOMES[this.#words[word + 3] ?? 0] ?? 'ok',
    }
  }

  /** How far back the newest call with this request is, or -1. */
  findRequest(request: number): number {
    return this.#find(5, request, 0)
  }

  /** How far back the newest call of this action is, from `from` on, or -1. */
  findAction(action: number, from = 0): number {
    return this.#find(4, action, from)
  }

  #find(field: number, wanted: number, from: number): number {
    const words = this.#words
    const last = words.length - WORDS
    let word = this.#row(from) * WORDS + field
    for (let back = from; back < this.size; back += 1) {
      if (words[word] === wanted) return back
      word = word < WORDS ? last + field : word - WORDS
    }
    return -1
  }

  get #capacity(): number {
    return this.#doubles.length / DOUBLES
  }

  #row(back: number): number {
    return (this.#next - 1 - back + 2 * this.#capacity) % this.#capacity
  }

  // Only a full ring grows, and its oldest call is at `#next`.
  #grow(): void {
    const former = this.#doubles
    const split = this.#next * DOUBLES
    this.#doubles = new Float64Array(former.length * 2)
    this.#doubles.set(former.subarray(split))
    this.#doubles.set(former.subarray(0, split), former.length - split)
    this.#words = new Uint32Array(this.#doubles.buffer)
    this.#next = this.size
  }
}
