import { DAY_MS, type Clock } from '../../lib/clock.ts'
import { FairQueue } from '../../lib/fairness/fair-queue.ts'
import type { Allowance } from './allowance.ts'
import {
  FREE_TURN,
  refusedTurn,
  type Alarm,
  type Patience,
  type TurnRefusal,
  type Turn,
} from './turn.ts'
import type { Taken, TurnStore } from './turn-store.ts'

export type LimiterParts = {
  readonly label: string
  /** Null for a vendor that asks for nothing; it may still ask to be left alone for a while. */
  readonly allowance: Allowance | null
  readonly store: TurnStore
  readonly now: Clock
  readonly alarm: Alarm
}

type Waiting = {
  readonly deadline: Patience
  readonly untilMs: number
  readonly go: (turn: Turn) => void
}

/** What waits in one process for one vendor: memory is bounded by vendors times this. */
const MOST_WAITING = 4_096
const MOST_IN_ONE_TAKE = 512
/** Nobody waits longer, nor for more than half of the time left: the request itself needs the rest. */
const LONGEST_WAIT_MS = 20_000
const LOOK_EVERY_MS = 250
const BUSY_AGAIN_MS = 100
const TURN_AGAIN_MS = 20
const LONGEST_VALID_MS = 1_000
const STORE_AWAY_MS = 1_000

/** Lets calls to one vendor go as its limits allow, across all processes, and in fair turns between the accounts of this one. */
export class Limiter {
  readonly #parts: LimiterParts
  readonly #queue = new FairQueue<Waiting>(MOST_WAITING)
  /** Permits in hand, good until `stockUntilMs` and taken on `stockDay`. */
  #stock = 0
  #stockUntilMs = 0
  #stockDay = 0
  #busyUntilMs: number | null = null
  #validMs: number
  #done: number[] = []
  #unused = { day: 0, count: 0 }
  #pausedUntilMs = 0
  #dayOverUntilMs = 0
  #askAgainMs = 0
  #isAsking = false
  #disarm: (() => void) | null = null

  constructor(parts: LimiterParts) {
    this.#parts = parts
    this.#validMs = parts.allowance?.validMs ?? LONGEST_VALID_MS
  }

  /** True while every call may go without being counted. */
  get isFree(): boolean {
    return this.#parts.allowance === null && this.#pausedUntilMs === 0
  }

  /** When the call may go, or why it may not. At once when a permit is in hand, or when waiting is of no use. Never rejects. */
  enter(account: string, deadline: Patience): Turn | Promise<Turn> {
    const nowMs = this.#parts.now()
    if (
      this.#queue.size === 0 &&
      this.#stock > 0 &&
      nowMs < this.#stockUntilMs &&
      nowMs >= this.#pausedUntilMs
    ) {
      this.#stock -= 1
      return FREE_TURN
    }
    const patienceMs = Math.min(deadline.leftMs / 2, LONGEST_WAIT_MS)
    const expectedMs = this.#expectedWaitMs(account, nowMs)
    if (expectedMs > patienceMs) return this.#refusal(expectedMs)
    return new Promise((go) => {
      if (!this.#queue.push(account, { deadline, untilMs: nowMs + patienceMs, go }))
        go(this.#refusal(Math.max(expectedMs, LONGEST_WAIT_MS / 2)))
      else this.#wake()
    })
  }

  /** Gives back the place of a request that is over. */
  leave({ busyUntilMs }: Turn): void {
    if (busyUntilMs === null) return
    this.#done.push(busyUntilMs)
    this.#askAgainMs = 0
    this.#wake()
  }

  /** The vendor asked to be left alone. */
  pauseUntil(ms: number): void {
    this.#pausedUntilMs = Math.max(this.#pausedUntilMs, ms)
    this.#refuseWhere(({ untilMs }) => untilMs < this.#pausedUntilMs)
  }

  get pausedUntilMs(): number {
    return this.#pausedUntilMs
  }

  /** At the least: as many as the rate allows go at once, the next ones a window later. */
  #expectedWaitMs(account: string, nowMs: number): number {
    const { allowance } = this.#parts
    const windowsMs =
      allowance === null || allowance.rate === null
        ? 0
        : Math.floor(this.#queue.turnsBefore(account) / allowance.rate) * allowance.windowMs
    return Math.max(0, this.#nextMs - nowMs) + windowsMs
  }

  /** Before this moment asking is of no use. */
  get #nextMs(): number {
    return Math.max(this.#pausedUntilMs, this.#dayOverUntilMs, this.#askAgainMs)
  }

  #hasWork(nowMs: number): boolean {
    return this.#done.length > 0 || (this.#queue.size > 0 && nowMs >= this.#nextMs)
  }

  #refusal(waitMs: number): Turn {
    const reason: TurnRefusal['reason'] = this.#dayOverUntilMs > this.#parts.now() ? 'day' : 'limit'
    return refusedTurn(reason, waitMs)
  }

  #wake(): void {
    if (this.#isAsking) return
    this.#disarm?.()
    this.#disarm = null
    this.#isAsking = true
    void this.#askUntilServed()
  }

  async #askUntilServed(): Promise<void> {
    do await this.#ask()
    while (this.#hasWork(this.#parts.now()))
    this.#isAsking = false
    if (this.#queue.size === 0) return
    const inMs = Math.min(LOOK_EVERY_MS, this.#nextMs - this.#parts.now())
    this.#disarm = this.#parts.alarm(() => this.#wake(), Math.max(1, inMs))
  }

  async #ask(): Promise<void> {
    const nowMs = this.#parts.now()
    if (this.#stock > 0 && nowMs >= this.#stockUntilMs) this.#giveUpStock()
    if (this.#pausedUntilMs <= nowMs) this.#pausedUntilMs = 0
    this.#refuseWhere(({ deadline, untilMs }) => deadline.isOver || untilMs <= nowMs)
    if (!this.#hasWork(nowMs)) return
    const { allowance } = this.#parts
    const wanted = nowMs >= this.#nextMs ? Math.min(this.#queue.size, MOST_IN_ONE_TAKE) : 0
    const taken =
      allowance === null
        ? { given: wanted, validMs: LONGEST_VALID_MS, busyUntilMs: null, waitMs: 0, why: null }
        : await this.#take(allowance, nowMs, wanted)
    if (taken === null) return
    this.#handOut(taken, nowMs)
    this.#waitFor(taken)
  }

  async #take(allowance: Allowance, nowMs: number, wanted: number): Promise<Taken | null> {
    const day = Math.floor(nowMs / DAY_MS)
    const dayBack = this.#unused.day === day ? this.#unused.count : 0
    const done = this.#done
    this.#done = []
    this.#unused = { day, count: 0 }
    const busyMs =
      allowance.concurrent === null ? 0 : this.#queue.largest(({ deadline }) => deadline.leftMs)
    try {
      return await this.#parts.store.take({
        label: this.#parts.label,
        allowance,
        wanted,
        validMs: this.#validMs,
        busyMs,
        done,
        day,
        dayBack,
      })
    } catch {
      // Nobody goes uncounted. What was given back frees itself at its deadline.
      this.#askAgainMs = this.#parts.now() + STORE_AWAY_MS
      this.#refuseWhere(() => true)
      return null
    }
  }

  #handOut(taken: Taken, takenAtMs: number): void {
    const nowMs = this.#parts.now()
    this.#stock = taken.given
    this.#stockDay = Math.floor(takenAtMs / DAY_MS)
    const isDaily = (this.#parts.allowance?.perDay ?? null) !== null
    this.#stockUntilMs = Math.min(
      takenAtMs + taken.validMs,
      isDaily ? (this.#stockDay + 1) * DAY_MS : Number.POSITIVE_INFINITY,
    )
    this.#busyUntilMs = taken.busyUntilMs
    if (taken.given > 0) this.#adaptValidity(nowMs < this.#stockUntilMs)
    const turn =
      taken.busyUntilMs === null ? FREE_TURN : { ...FREE_TURN, busyUntilMs: taken.busyUntilMs }
    while (this.#stock > 0 && nowMs < this.#stockUntilMs) {
      const next = this.#queue.shift()
      if (next === undefined) break
      if (!next.deadline.isOver) this.#stock -= 1
      next.go(next.deadline.isOver ? refusedTurn('limit', 0) : turn)
    }
    if (this.#busyUntilMs !== null || nowMs >= this.#stockUntilMs) this.#giveUpStock()
  }

  /** An answer that took longer than its permits are good for asks for a longer time, which costs of the rate; it is won back slowly. */
  #adaptValidity(isInTime: boolean): void {
    const leastMs = this.#parts.allowance?.validMs ?? 0
    this.#validMs = isInTime
      ? Math.max(leastMs, this.#validMs * 0.98)
      : Math.min(this.#validMs * 2, Math.max(leastMs, LONGEST_VALID_MS))
  }

  #giveUpStock(): void {
    if (this.#busyUntilMs !== null)
      for (let left = this.#stock; left > 0; left -= 1) this.#done.push(this.#busyUntilMs)
    this.#unused = {
      day: this.#stockDay,
      count: (this.#unused.day === this.#stockDay ? this.#unused.count : 0) + this.#stock,
    }
    this.#stock = 0
  }

  /** Nobody is kept waiting for what cannot come in time. */
  #waitFor({ why, waitMs }: Taken): void {
    const nowMs = this.#parts.now()
    if (why === null) return
    if (why === 'day') this.#dayOverUntilMs = (Math.floor(nowMs / DAY_MS) + 1) * DAY_MS
    if (why === 'pause') this.#pausedUntilMs = Math.max(this.#pausedUntilMs, nowMs + waitMs)
    this.#askAgainMs =
      nowMs + (why === 'busy' ? BUSY_AGAIN_MS : why === 'turn' ? TURN_AGAIN_MS : waitMs)
    this.#refuseWhere(({ untilMs }) => untilMs < this.#nextMs)
  }

  #refuseWhere(fits: (waiting: Waiting) => boolean): void {
    const waitMs = Math.max(0, this.#nextMs - this.#parts.now())
    for (const { go } of this.#queue.removeWhere(fits)) go(this.#refusal(waitMs))
  }
}
