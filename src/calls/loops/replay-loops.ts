import type { Micros } from '../../lib/money.ts'
import type { LoopOutcome } from './call-ring.ts'
import type { Loop } from './loop-rules.ts'
import { createLoopWatch, type LoopWatch } from './loop-watch.ts'

/** A past call. */
export type PastCall = {
  readonly key: string
  /** `service/action`. */
  readonly action: string
  /** The parameters; undefined if they are unknown, which makes the call differ from every other. */
  readonly input: unknown
  readonly outcome: LoopOutcome
  /** Undefined: unknown. */
  readonly answer: unknown
  readonly cost: Micros
  readonly atMs: number
  /** The rules about repeated calls apply. Otherwise only its cost counts. */
  readonly isWatched: boolean
}

/** The effect that the breaker would have had on one key. Places count the calls of the key from 1. */
export type Replayed = {
  readonly key: string
  readonly rule: Loop['code']
  readonly advised: number
  readonly advisedAt: number | null
  readonly stoppedAt: number | null
  readonly pausedAt: number | null
  /** The cost of the calls that it would have stopped. */
  readonly saved: Micros
}

/**
 * Runs past calls, in order of time, through the breaker of keys with the setting `stop` that never
 * confirm a stopped call. Returns the keys that it would have advised or stopped. `limit` is the
 * spending limit of each key for the rule about steep spending.
 */
export function replayLoops(calls: readonly PastCall[], limit: Micros | null): Replayed[] {
  let nowMs = 0
  const watch = createLoopWatch(() => nowMs)
  const keys = new Map<string, KeyReplay>()
  for (const call of calls) {
    nowMs = call.atMs
    let key = keys.get(call.key)
    if (key === undefined) keys.set(call.key, (key = new KeyReplay(call.key, watch, limit)))
    key.run(call)
  }
  return [...keys.values()].flatMap((key) => key.result() ?? [])
}

class KeyReplay {
  readonly #key: string
  readonly #watch: LoopWatch
  readonly #limit: Micros | null
  #place = 0
  #rule: Loop['code'] | null = null
  #advised = 0
  #advisedAt: number | null = null
  #stoppedAt: number | null = null
  #pausedAt: number | null = null
  #saved = 0n

  constructor(key: string, watch: LoopWatch, limit: Micros | null) {
    this.#key = key
    this.#watch = watch
    this.#limit = limit
  }

  run(call: PastCall): void {
    this.#place += 1
    if (this.#pausedAt !== null || this.#isStopped(call)) this.#saved += call.cost
    else this.#carryOut(call)
  }

  #isStopped({ action, input, isWatched }: PastCall): boolean {
    const checked = { key: this.#watched, action, confirm: null }
    const loop = this.#watch.find(isWatched ? { ...checked, input: this.#inputOf(input) } : checked)
    if (loop === null) return false
    this.#rule = loop.code
    this.#stoppedAt ??= this.#place
    if (this.#watch.stop(this.#key).isLast) this.#pausedAt = this.#place
    return true
  }

  #carryOut({ action, input, outcome, answer, cost, isWatched }: PastCall): void {
    if (isWatched) {
      const loop = this.#watch.note({
        key: this.#watched,
        action,
        input: this.#inputOf(input),
        outcome,
        answer: () => answer ?? null,
        cost,
      })
      if (loop !== null) this.#advised += 1
      if (loop !== null) this.#advisedAt ??= this.#place
      this.#rule ??= loop?.code ?? null
    }
    this.#watch.spent(this.#key, cost)
  }

  result(): Replayed | null {
    return this.#rule === null
      ? null
      : {
          key: this.#key,
          rule: this.#rule,
          advised: this.#advised,
          advisedAt: this.#advisedAt,
          stoppedAt: this.#stoppedAt,
          pausedAt: this.#pausedAt,
          saved: this.#saved,
        }
  }

  get #watched() {
    return { keyId: this.#key, breaker: 'stop', limit: this.#limit } as const
  }

  #inputOf(input: unknown): unknown {
    return input === undefined ? `call ${this.#place}` : { input }
  }
}
