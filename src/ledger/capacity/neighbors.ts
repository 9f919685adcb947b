/**
 * The calls that wait in other processes, by the messages of these. A process announces its waiting
 * calls when they change and every look, and the scopes in which it released money while others
 * wait. So no process lets a call pass one that waits longer elsewhere. An announcement expires,
 * because its process may have died.
 */
import type { Micros } from '../../lib/money.ts'
import type { Scope } from './limits.ts'

/** A waiting call: since when, in Unix milliseconds, and the amount that it needs. */
export type Waiting = { readonly sinceMs: number; readonly amount: Micros }

export type NeighborsDeps = {
  /** Distinguishes processes. */
  readonly self: string
  readonly nowMs: () => number
  /** Runs `work` after a delay. Returns a function that cancels it. */
  readonly after: (ms: number, work: () => void) => () => void
  /** Sends a message to the other processes. */
  readonly send: (message: string) => void
  /** The calls that wait here, in their order. */
  readonly waitingIn: (scope: Scope) => readonly Waiting[]
  /** Money was released in this scope, or a call there no longer waits. */
  readonly onChange: (scope: Scope) => void
}

// At most twenty messages a second, because every process reads each.
const SEND_EVERY_MS = 50
const EXPIRES_AFTER_MS = 1_000
/** Calls announced per scope. PostgreSQL limits a message to 8000 bytes: four times as many calls. */
const MOST_ANNOUNCED = 32

type Message = {
  readonly from: string
  readonly waiting?: Readonly<Record<Scope, readonly (readonly [number, number])[]>>
  readonly freed?: readonly Scope[]
}

export class Neighbors {
  readonly #deps: NeighborsDeps
  readonly #waiting = new Map<
    Scope,
    Map<string, { readonly calls: readonly Waiting[]; readonly untilMs: number }>
  >()
  readonly #toAnnounce = new Set<Scope>()
  readonly #toFree = new Set<Scope>()
  #isPausing = false

  constructor(deps: NeighborsDeps) {
    this.#deps = deps
  }

  /** Whether no call waits elsewhere. */
  get isQuiet(): boolean {
    return this.#waiting.size === 0
  }

  /** The amount that calls need elsewhere which have waited in this scope since before `sinceMs`. */
  amountAhead(scope: Scope, sinceMs: number): Micros {
    const nowMs = this.#deps.nowMs()
    const processes = this.#waiting.get(scope)
    if (processes === undefined) return 0n
    let amount = 0n
    for (const [process, { calls, untilMs }] of processes) {
      if (untilMs < nowMs) processes.delete(process)
      else
        for (const call of calls)
          if (call.sinceMs < sinceMs || (call.sinceMs === sinceMs && process < this.#deps.self))
            amount += call.amount
    }
    if (processes.size === 0) this.#waiting.delete(scope)
    return amount
  }

  isWaitedFor(scope: Scope): boolean {
    return this.#waiting.has(scope)
  }

  /** Announces the calls that wait here. Without any, the others forget this process. */
  announce(scope: Scope): void {
    this.#toAnnounce.add(scope)
    this.#sendSoon()
  }

  /** Announces released money if a call elsewhere waits for it. */
  free(scopes: readonly Scope[]): void {
    for (const scope of scopes) {
      if (!this.#waiting.has(scope)) continue
      this.#toFree.add(scope)
      this.#sendSoon()
    }
  }

  receive(text: string): void {
    const message = JSON.parse(text) as Message
    if (message.from === this.#deps.self) return
    const untilMs = this.#deps.nowMs() + EXPIRES_AFTER_MS
    for (const [scope, calls] of Object.entries(message.waiting ?? {})) {
      const processes = this.#waiting.get(scope) ?? new Map()
      if (calls.length === 0) processes.delete(message.from)
      else
        processes.set(message.from, {
          calls: calls.map(([sinceMs, amount]) => ({ sinceMs, amount: BigInt(amount) })),
          untilMs,
        })
      if (processes.size > 0) this.#waiting.set(scope, processes)
      else this.#waiting.delete(scope)
      this.#deps.onChange(scope)
    }
    for (const scope of message.freed ?? []) this.#deps.onChange(scope)
  }

  #sendSoon(): void {
    if (this.#isPausing) return
    this.#isPausing = true
    // The calls of this tick share a message.
    queueMicrotask(() => this.#sendNow())
  }

  #sendNow(): void {
    const waiting: Record<Scope, [number, number][]> = {}
    let callCount = 0
    for (const scope of this.#toAnnounce) {
      if (callCount >= MOST_ANNOUNCED * 4) break
      this.#toAnnounce.delete(scope)
      const calls = this.#deps.waitingIn(scope).slice(0, MOST_ANNOUNCED)
      waiting[scope] = calls.map(({ sinceMs, amount }) => [sinceMs, Number(amount)])
      // A scope without calls takes about as much of the message as two calls.
      callCount += calls.length + 2
    }
    const freed = [...this.#toFree].slice(0, MOST_ANNOUNCED)
    for (const scope of freed) this.#toFree.delete(scope)
    const message: Message = { from: this.#deps.self, waiting, freed }
    this.#deps.send(JSON.stringify(message))
    this.#deps.after(SEND_EVERY_MS, () => {
      this.#isPausing = false
      if (this.#toAnnounce.size + this.#toFree.size > 0) this.#sendSoon()
    })
  }
}
