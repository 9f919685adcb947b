import type { Clock } from '../../lib/clock.ts'
import type { Sent } from '../send.ts'
import { FAIR_TIME_MS, type Breaker } from './breaker.ts'
import { Breakers } from './breakers.ts'
import type { Limiter } from './limiter.ts'
import { LONGEST_PAUSE_MS } from './retry-after.ts'
import { FREE_TURN, refusedTurn, type Patience, type Turn } from './turn.ts'

export type GateParts = {
  readonly limiter: Limiter
  readonly now: Clock
  /** The vendor asked for a pause, which every process is to keep. */
  readonly onPause: (ms: number) => void
}

/** Who asks, and how long the whole call may take; `takesAnyTime`: a program of the caller's, which may be slow by itself. */
export type Asker = {
  readonly accountId?: string
  readonly deadline: Patience & { readonly givenMs: number }
  readonly takesAnyTime?: true | undefined
}

/** A call that was given up has time left; timers go off a little early. */
const CUT_SHORT_MS = 50

/** What stands before a vendor: its limits, its pauses, and a breaker for each of its hosts. */
export class Gate {
  readonly limiter: Limiter
  readonly #now: Clock
  readonly #onPause: (ms: number) => void
  /** By the names of the vendor's origins. */
  readonly #breakers = new Breakers()

  constructor({ limiter, now, onPause }: GateParts) {
    this.limiter = limiter
    this.#now = now
    this.#onPause = onPause
  }

  /** How many of its hosts are left alone because they fail. */
  get openBreakers(): number {
    return this.#breakers.openCount
  }

  /** Leave to send one request; a promise only where it has to wait. Whoever has leave says `left` when the request is over. */
  enter({ accountId = '', deadline }: Asker, origin = ''): Turn | Promise<Turn> {
    const breaker = this.#breakers.of(origin)
    if (breaker.isClosedFor(accountId) && this.limiter.isFree) return FREE_TURN
    const restMs = breaker.restMs(accountId, this.#now())
    if (restMs > 0) return refusedTurn('failing', restMs)
    if (this.limiter.isFree) return this.#pass(breaker, accountId, FREE_TURN)
    const turn = this.limiter.enter(accountId, deadline)
    return turn instanceof Promise
      ? turn.then((given) => this.#pass(breaker, accountId, given))
      : this.#pass(breaker, accountId, turn)
  }

  /** What came of the request that had leave. */
  left(
    turn: Turn,
    sent: Sent,
    { accountId = '', deadline, takesAnyTime }: Asker,
    origin = '',
  ): void {
    if (turn.busyUntilMs !== null) this.limiter.leave(turn)
    const breaker = this.#breakers.of(origin)
    const call = { isProbe: turn.isProbe, accountId }
    if (sent.ok) {
      if (!breaker.isSound) breaker.answered(call, this.#now())
      return
    }
    if (sent.waitMs !== undefined) this.#pause(sent.waitMs)
    const { code, details } = sent.failure
    const isAnswer = details.upstream.status !== null && details.upstream.status < 500
    if (isAnswer || (code !== 'upstream_error' && code !== 'upstream_timeout'))
      breaker.answered(call, this.#now())
    else if (
      deadline.isOver &&
      (takesAnyTime === true || deadline.leftMs > CUT_SHORT_MS || deadline.givenMs < FAIR_TIME_MS)
    )
      breaker.undecided(call)
    else breaker.failed(call, this.#now())
  }

  // While the call waited for its turn the breaker may have opened, or another one tries it already.
  #pass(breaker: Breaker, accountId: string, turn: Turn): Turn {
    if (turn.refusal !== null || breaker.isClosedFor(accountId)) return turn
    const restMs = breaker.restMs(accountId, this.#now())
    if (restMs > 0) {
      this.limiter.leave(turn)
      return refusedTurn('failing', restMs)
    }
    breaker.probe(accountId)
    return { ...turn, isProbe: true }
  }

  #pause(waitMs: number): void {
    const ms = Math.min(waitMs, LONGEST_PAUSE_MS)
    const untilMs = this.#now() + ms
    // A hundred calls under way are told the same a hundred times.
    if (untilMs <= this.limiter.pausedUntilMs + CUT_SHORT_MS) return
    this.limiter.pauseUntil(untilMs)
    this.#onPause(ms)
  }
}
