import { DAY_MS, type Clock } from '../../lib/clock.ts'
import { FairQueue } from '../../lib/fairness/fair-queue.ts'
import type { Allowance } from './allowance.ts'
import {
  FREE_PERMIT,
  refusePermit,
  type Alarm,
  type TimeLeft,
  type PermitRefusal,
  type Permit,
} from './permit.ts'
import type { Taken, PermitStore } from './permit-store.ts'

export type LimiterDeps = {
  readonly label: string
  /** Null for a vendor without limits; it may still request pauses. */
  readonly allowance: Allowance | null
  readonly store: PermitStore
  readonly now: Clock
  readonly alarm: Alarm
}

type Waiting = {
  readonly deadline: TimeLeft
  readonly untilMs: number
  readonly go: (permit: Permit) => void
}

/** Calls of one process that wait for one vendor. Bounds memory per vendor. */
const MOST_WAITING = 4_096
const MOST_IN_ONE_TAKE = 512
/** The longest wait; also at most half of the time left, because the request needs the rest. */
const LONGEST_WAIT_MS = 20_000
const CHECK_INTERVAL_MS = 250
const BUSY_RETRY_MS = 100
const TURN_RETRY_MS = 20
const LONGEST_VALID_MS = 1_000
const STORE_RETRY_MS = 1_000

/**
 * Sends calls to one vendor within its limits across all processes. Accounts of this process
 * alternate.
 */
export class Limiter {
  readonly #deps: LimiterDeps
  readonly #queue = new FairQueue<Waiting>(MOST_WAITING)
  /** Unused permits, valid until `stockUntilMs`, taken on `stockDay`. */
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

  constructor(deps: LimiterDeps) {
    this.#deps = deps
    this.#validMs = deps.allowance?.validMs ?? LONGEST_VALID_MS
  }

  /** True while calls need no counting. */
  get isFree(): boolean {
    return this.#deps.allowance === null && this.#pausedUntilMs === 0
  }

  /**
   * Returns a permit or a refusal: immediately if a permit is in stock or waiting is useless. Never
   * rejects.
   */
  acquire(account: string, deadline: TimeLeft): Permit | Promise<Permit> {
    const nowMs = this.#deps.now()
    if (
      this.#queue.size === 0 &&
      this.#stock > 0 &&
      nowMs < this.#stockUntilMs &&
      nowMs >= this.#pausedUntilMs
    ) {
      this.#stock -= 1
      return FREE_PERMIT
    }
    const maxWaitMs = Math.min(deadline.leftMs / 2, LONGEST_WAIT_MS)
    const expectedMs = this.#expectedWaitMs(account, nowMs)
    if (expectedMs > maxWaitMs) return this.#refusal(expectedMs)
    return new Promise((go) => {
      if (!this.#queue.push(account, { deadline, untilMs: nowMs + maxWaitMs, go }))
        go(this.#refusal(Math.max(expectedMs, LONGEST_WAIT_MS / 2)))
      else this.#wake()
    })
  }

  /** Releases the place of a finished request. */
  release({ busyUntilMs }: Permit): void {
    if (busyUntilMs === null) return
    this.#done.push(busyUntilMs)
    this.#askAgainMs = 0
    this.#wake()
  }

  /** The vendor asked for a pause. */
  pauseUntil(ms: number): void {
    this.#pausedUntilMs = Math.max(this.#pausedUntilMs, ms)
    this.#rejectWhere(({ untilMs }) => untilMs < this.#pausedUntilMs)
  }

  get pausedUntilMs(): number {
    return this.#pausedUntilMs
  }

  /**
   * A lower bound: as many calls as the rate allows start together, the next ones a window later.
   */
  #expectedWaitMs(account: string, nowMs: number): number {
    const { allowance } = this.#deps
    const windowsMs =
      allowance === null || allowance.rate === null
        ? 0
        : Math.floor(this.#queue.turnsBefore(account) / allowance.rate) * allowance.windowMs
    return Math.max(0, this.#nextMs - nowMs) + windowsMs
  }

  /** The earliest time at which the store can grant permits. */
  get #nextMs(): number {
    return Math.max(this.#pausedUntilMs, this.#dayOverUntilMs, this.#askAgainMs)
  }

  #hasWork(nowMs: number): boolean {
    return this.#done.length > 0 || (this.#queue.size > 0 && nowMs >= this.#nextMs)
  }

  #refusal(waitMs: number): Permit {
    const reason: PermitRefusal['reason'] =
      this.#dayOverUntilMs > this.#deps.now() ? 'day' : 'limit'
    return refusePermit(reason, waitMs)
  }

  #wake(): void {
    if (this.#isAsking) return
    this.#disarm?.()
    this.#disarm = null
    this.#isAsking = true
    void this.#serveAll()
  }

  async #serveAll(): Promise<void> {
    do await this.#serve()
    while (this.#hasWork(this.#deps.now()))
    this.#isAsking = false
    if (this.#queue.size === 0) return
    const inMs = Math.min(CHECK_INTERVAL_MS, this.#nextMs - this.#deps.now())
    this.#disarm = this.#deps.alarm(() => this.#wake(), Math.max(1, inMs))
  }

  async #serve(): Promise<void> {
    const nowMs = this.#deps.now()
    if (this.#stock > 0 && nowMs >= this.#stockUntilMs) this.#giveUpStock()
    if (this.#pausedUntilMs <= nowMs) this.#pausedUntilMs = 0
    this.#rejectWhere(({ deadline, untilMs }) => deadline.isOver || untilMs <= nowMs)
    if (!this.#hasWork(nowMs)) return
    const { allowance } = this.#deps
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
      return await this.#deps.store.take({
        label: this.#deps.label,
        allowance,
        wanted,
        validMs: this.#validMs,
        busyMs,
        done,
        day,
        dayBack,
      })
    } catch {
      // Every request is counted. Released places expire at their deadline.
      this.#askAgainMs = this.#deps.now() + STORE_RETRY_MS
      this.#rejectWhere(() => true)
      return null
    }
  }

  #handOut(taken: Taken, takenAtMs: number): void {
    const nowMs = this.#deps.now()
    this.#stock = taken.given
    this.#stockDay = Math.floor(takenAtMs / DAY_MS)
    const isDaily = (this.#deps.allowance?.perDay ?? null) !== null
    this.#stockUntilMs = Math.min(
      takenAtMs + taken.validMs,
      isDaily ? (this.#stockDay + 1) * DAY_MS : Number.POSITIVE_INFINITY,
    )
    this.#busyUntilMs = taken.busyUntilMs
    if (taken.given > 0) this.#adaptValidity(nowMs < this.#stockUntilMs)
    const permit =
      taken.busyUntilMs === null ? FREE_PERMIT : { ...FREE_PERMIT, busyUntilMs: taken.busyUntilMs }
    while (this.#stock > 0 && nowMs < this.#stockUntilMs) {
      const next = this.#queue.shift()
      if (next === undefined) break
      if (!next.deadline.isOver) this.#stock -= 1
      next.go(next.deadline.isOver ? refusePermit('limit', 0) : permit)
    }
    if (this.#busyUntilMs !== null || nowMs >= this.#stockUntilMs) this.#giveUpStock()
  }

  /**
   * A reply slower than the validity of its permits lengthens the validity, which costs rate. It
   * shrinks slowly afterwards.
   */
  #adaptValidity(isInTime: boolean): void {
    const leastMs = this.#deps.allowance?.validMs ?? 0
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

  /** Rejects calls that cannot be served in time. */
  #waitFor({ why, waitMs }: Taken): void {
    const nowMs = this.#deps.now()
    if (why === null) return
    if (why === 'day') this.#dayOverUntilMs = (Math.floor(nowMs / DAY_MS) + 1) * DAY_MS
    if (why === 'pause') this.#pausedUntilMs = Math.max(this.#pausedUntilMs, nowMs + waitMs)
    this.#askAgainMs =
      nowMs + (why === 'busy' ? BUSY_RETRY_MS : why === 'turn' ? TURN_RETRY_MS : waitMs)
    this.#rejectWhere(({ untilMs }) => untilMs < this.#nextMs)
  }

  #rejectWhere(fits: (waiting: Waiting) => boolean): void {
    const waitMs = Math.max(0, this.#nextMs - this.#deps.now())
    for (const { go } of this.#queue.removeWhere(fits)) go(this.#refusal(waitMs))
  }
}
