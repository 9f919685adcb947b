import { AppError } from '../../errors/app-error.ts'
import type { Micros } from '../../lib/money.ts'
import type { HoldRequest, HoldVerdict, HoldWait } from '../hold.ts'
import {
  explainState,
  explainWait,
  holdersOf,
  isClaimed,
  isOfKeyState,
  judgeCall,
  type JudgeDeps,
} from './judge-call.ts'
import { scopesOf, type Scope } from './limits.ts'
import { roomHeld } from './room-held.ts'
import type { Attempted, WaitingCall } from './waiting-calls.ts'

/** A verdict of the ledger. `capped`: the day's cap for language models. */
export type Verdict = HoldVerdict | 'capped'
/** Opens the hold of a call that has waited this long. */
export type OpenHold = (waitedMs: number) => Promise<Verdict>
/** Runs `work` after a delay. Returns a function that cancels it. */
export type After = (ms: number, work: () => void) => () => void

export type WaiterDeps = JudgeDeps & {
  readonly after: After
  /** The amount of calls in other processes that waited longer. */
  readonly amountAhead: (scope: Scope, sinceMs: number) => Micros
  /** A scope in which a call waits that arrived earlier. */
  readonly findQueue: (request: HoldRequest, place: number, except: Scope) => Scope | undefined
  readonly onEnd: (waiter: Waiter) => void
}

/** A call that waits for money which other calls hold. */
export class Waiter implements WaitingCall {
  readonly request: HoldRequest
  readonly place: number
  readonly sinceMs: number
  readonly done: Promise<'opened' | 'repeated'>
  readonly #deps: WaiterDeps
  readonly #open: OpenHold
  readonly #settle: PromiseWithResolvers<'opened' | 'repeated'>
  readonly #cancelTimer: () => void
  #isOver = false
  #isOpening = false
  /** Ends the wait if the hold that is being opened is refused. */
  #endsNext: (() => void) | null = null

  constructor(
    deps: WaiterDeps,
    request: HoldRequest,
    place: number,
    open: OpenHold,
    wait: HoldWait,
  ) {
    this.request = request
    this.place = place
    this.#deps = deps
    this.#open = open
    this.sinceMs = deps.now()
    this.#settle = Promise.withResolvers()
    this.done = this.#settle.promise
    this.#cancelTimer = deps.after(wait.ms, () => this.#end(() => this.#timeOut()))
    wait.onGone?.(() => this.fail(new AppError('bad_request', CALLER_GONE)))
  }

  /** Ends the wait with an error. A hold that is being opened decides first. */
  fail(error: unknown): void {
    this.#end(() => this.#settle.reject(error))
  }

  /** Checks what ends the wait before the call is first in its queue. `isRefused`: the ledger refused its hold. */
  async check(isRefused: boolean, { isDefault = false }: HoldWait): Promise<void> {
    const { database, now } = this.#deps
    const { claim, amount } = this.request
    if (!isRefused && claim !== null && (await isClaimed(database, claim, now())))
      return this.#end(() => this.#settle.resolve('repeated'))
    const judged = await judgeCall(this.#deps, this.request)
    if (judged.kind === 'refused') return this.fail(judged.error)
    if (judged.kind === 'fits' || !isDefault) return
    const holders = await holdersOf(this.#deps, this.request, judged.limit)
    if (!holders.endSoon) this.fail(roomHeld(judged.limit, amount, holders))
  }

  async attempt(scope: Scope): Promise<Attempted> {
    try {
      return await this.#attempt(scope)
    } catch (error) {
      this.#isOpening = false
      this.fail(error)
      return { kind: 'done' }
    }
  }

  async #attempt(scope: Scope): Promise<Attempted> {
    const { amountAhead, findQueue, now } = this.#deps
    const { request, sinceMs, place } = this
    const judged = await judgeCall(this.#deps, request, (one) => amountAhead(one, sinceMs))
    if (this.#isOver) return { kind: 'done' }
    if (judged.kind === 'refused') throw judged.error
    if (judged.kind === 'waits') return moveTo(judged.limit.scope, scope)
    const earlier = findQueue(request, place, scope)
    if (earlier !== undefined) return { kind: 'moved', to: earlier }
    this.#isOpening = true
    const verdict = await this.#open(Math.max(0, now() - sinceMs))
    this.#isOpening = false
    if (verdict === 'opened' || verdict === 'repeated') {
      this.#end(() => this.#settle.resolve(verdict))
      return { kind: 'done' }
    }
    if (isOfKeyState(verdict)) throw await explainState(this.#deps, request, verdict)
    if (this.#endsNext !== null) {
      this.#end(this.#endsNext)
      return { kind: 'done' }
    }
    return moveTo(scopeOfVerdict(verdict, request), scope)
  }

  /** Runs `settle` once, and leaves the queue. */
  #end(settle: () => void): void {
    if (this.#isOver) return
    if (this.#isOpening) {
      this.#endsNext ??= settle
      return
    }
    this.#isOver = true
    this.#cancelTimer()
    this.#deps.onEnd(this)
    settle()
  }

  #timeOut(): void {
    explainWait(this.#deps, this.request).then(this.#settle.reject, this.#settle.reject)
  }
}

const CALLER_GONE =
  'The caller disconnected while the call waited for credit. Nothing was held or charged.'

function moveTo(needed: Scope, present: Scope): Attempted {
  return needed === present ? { kind: 'waits' } : { kind: 'moved', to: needed }
}

/** The scope whose limit refused the hold. */
export function scopeOfVerdict(verdict: Verdict, request: HoldRequest): Scope {
  const scopes = scopesOf(request)
  const kind = verdict === 'limit_reached' ? 'budget' : verdict === 'capped' ? 'day' : 'wallet'
  return scopes.find((scope) => scope.startsWith(kind)) ?? (scopes.at(-1) as Scope)
}
