import type { Clock } from '../../lib/clock.ts'
import type { Sent } from '../sent.ts'
import { FAIR_TIME_MS, type Breaker } from './breaker.ts'
import { Breakers } from './breakers.ts'
import type { Limiter } from './limiter.ts'
import { LONGEST_PAUSE_MS } from './retry-after.ts'
import { FREE_PERMIT, refusePermit, type TimeLeft, type Permit } from './permit.ts'

export type GateDeps = {
  readonly limiter: Limiter
  readonly now: Clock
  /** Called when the vendor asks for a pause, which applies to all processes. */
  readonly onPause: (ms: number) => void
}

/**
 * The calling account and its deadline. `takesAnyTime`: the request runs a caller's program, which
 * may be slow.
 */
export type PermitRequest = {
  readonly accountId?: string | undefined
  readonly deadline: TimeLeft & { readonly givenMs: number }
  readonly takesAnyTime?: true | undefined
}

/** A cancelled call has time left; timers fire slightly early. */
const CUT_SHORT_MS = 50

/** Applies a vendor's limits, pauses, and a circuit breaker for each of its hosts. */
export class Gate {
  readonly limiter: Limiter
  readonly #now: Clock
  readonly #onPause: (ms: number) => void
  /** By the names of the vendor's origins. */
  readonly #breakers = new Breakers()

  constructor({ limiter, now, onPause }: GateDeps) {
    this.limiter = limiter
    this.#now = now
    this.#onPause = onPause
  }

  /** Number of hosts whose breaker is open. */
  get openBreakers(): number {
    return this.#breakers.openCount
  }

  /**
   * Requests a permit to send one request. Returns a promise only if it must wait. Call `release`
   * after the request.
   */
  acquire({ accountId = '', deadline }: PermitRequest, origin = ''): Permit | Promise<Permit> {
    const breaker = this.#breakers.of(origin)
    if (breaker.isClosedFor(accountId) && this.limiter.isFree) return FREE_PERMIT
    const restMs = breaker.restMs(accountId, this.#now())
    if (restMs > 0) return refusePermit('failing', restMs)
    if (this.limiter.isFree) return this.#pass(breaker, accountId, FREE_PERMIT)
    const permit = this.limiter.acquire(accountId, deadline)
    return permit instanceof Promise
      ? permit.then((granted) => this.#pass(breaker, accountId, granted))
      : this.#pass(breaker, accountId, permit)
  }

  /** Releases the permit with the result of its request. */
  release(
    permit: Permit,
    sent: Sent,
    { accountId = '', deadline, takesAnyTime }: PermitRequest,
    origin = '',
  ): void {
    if (permit.busyUntilMs !== null) this.limiter.release(permit)
    const breaker = this.#breakers.of(origin)
    const call = { isProbe: permit.isProbe, accountId }
    if (sent.ok) {
      if (!breaker.isSound) breaker.answered(call, this.#now())
      return
    }
    if (sent.waitMs !== undefined) this.#pause(sent.waitMs)
    const { code, details } = sent.failure
    const isAnswer = details.upstream.status !== null && details.upstream.status < 500
    if (code === 'call_cancelled') breaker.undecided(call)
    else if (isAnswer || (code !== 'upstream_error' && code !== 'upstream_timeout'))
      breaker.answered(call, this.#now())
    else if (
      deadline.isOver &&
      (takesAnyTime === true || deadline.leftMs > CUT_SHORT_MS || deadline.givenMs < FAIR_TIME_MS)
    )
      breaker.undecided(call)
    else breaker.failed(call, this.#now())
  }

  // While the call waited, the breaker may have opened, or another call may be probing it.
  #pass(breaker: Breaker, accountId: string, permit: Permit): Permit {
    if (permit.refusal !== null || breaker.isClosedFor(accountId)) return permit
    const restMs = breaker.restMs(accountId, this.#now())
    if (restMs > 0) {
      this.limiter.release(permit)
      return refusePermit('failing', restMs)
    }
    breaker.probe(accountId)
    return { ...permit, isProbe: true }
  }

  #pause(waitMs: number): void {
    const ms = Math.min(waitMs, LONGEST_PAUSE_MS)
    const untilMs = this.#now() + ms
    // Many calls in flight receive the same pause.
    if (untilMs <= this.limiter.pausedUntilMs + CUT_SHORT_MS) return
    this.limiter.pauseUntil(untilMs)
    this.#onPause(ms)
  }
}
