/**
 * The calls that wait for held money, per wallet, budget and day in the order of their arrival. A
 * waiting call holds nothing. When money may be free, the first call of a queue is compared with its
 * limits, and if it fits it is sent to the ledger, which decides.
 */
import type { HoldRequest } from '../hold.ts'
import { scopesOf, type Scope } from './limits.ts'

/** The result of an attempt to open the hold of a waiting call. */
export type Attempted =
  | { readonly kind: 'done' }
  /** Another scope keeps it waiting. */
  | { readonly kind: 'moved'; readonly to: Scope }
  | { readonly kind: 'waits' }

export type WaitingCall = {
  readonly request: HoldRequest
  /** The order of arrival in this process. */
  readonly place: number
  /** Unix milliseconds. */
  readonly sinceMs: number
  /** Opens the hold if it fits. */
  readonly attempt: (scope: Scope) => Promise<Attempted>
}

export class WaitingCalls {
  readonly #queues = new Map<Scope, WaitingCall[]>()
  readonly #serving = new Set<Scope>()
  readonly #again = new Set<Scope>()
  readonly #onChange: (scope: Scope) => void

  /** `onChange` is called when the calls of a queue change. */
  constructor(onChange: (scope: Scope) => void) {
    this.#onChange = onChange
  }

  get isEmpty(): boolean {
    return this.#queues.size === 0
  }

  get scopes(): readonly Scope[] {
    return [...this.#queues.keys()]
  }

  callsIn(scope: Scope): readonly WaitingCall[] {
    return this.#queues.get(scope) ?? []
  }

  /** The first scope of the call in which an earlier call waits, other than `except`. */
  findQueue(request: HoldRequest, place: number, except?: Scope): Scope | undefined {
    return scopesOf(request).find(
      (scope) =>
        scope !== except &&
        (this.#queues.get(scope)?.[0]?.place ?? Number.POSITIVE_INFINITY) < place,
    )
  }

  /** Adds the call to a queue at its place. */
  add(scope: Scope, call: WaitingCall): void {
    const queue = this.#queues.get(scope) ?? []
    // Calls that move from another queue keep their place by arrival.
    const at = queue.findLastIndex(({ place }) => place < call.place) + 1
    queue.splice(at, 0, call)
    this.#queues.set(scope, queue)
    this.#onChange(scope)
  }

  /** Removes the call from its queue, and looks at the next one. */
  remove(call: WaitingCall): void {
    for (const scope of scopesOf(call.request)) {
      const queue = this.#queues.get(scope)
      const at = queue?.indexOf(call) ?? -1
      if (queue === undefined || at === -1) continue
      queue.splice(at, 1)
      if (queue.length === 0) this.#queues.delete(scope)
      this.#onChange(scope)
      if (at === 0) this.look(scope)
    }
  }

  /** Money may be free in this scope. */
  look(scope: Scope): void {
    if (!this.#queues.has(scope)) return
    if (this.#serving.has(scope)) this.#again.add(scope)
    else void this.serve(scope)
  }

  /** Opens holds from the front of the queue while they fit. One after another, so none passes. */
  async serve(scope: Scope): Promise<void> {
    if (this.#serving.has(scope)) return
    this.#serving.add(scope)
    try {
      for (let isDone = false; !isDone;) {
        this.#again.delete(scope)
        isDone = !(await this.#serveFirst(scope)) && !this.#again.has(scope)
      }
    } finally {
      this.#serving.delete(scope)
    }
  }

  /** Whether the queue has another first call. */
  async #serveFirst(scope: Scope): Promise<boolean> {
    const first = this.#queues.get(scope)?.[0]
    if (first === undefined) return false
    const attempted = await first.attempt(scope)
    if (attempted.kind === 'waits') return false
    if (attempted.kind === 'done') this.remove(first)
    if (attempted.kind === 'moved' && this.#queues.get(scope)?.includes(first) === true) {
      this.remove(first)
      this.add(attempted.to, first)
      this.look(attempted.to)
    }
    return true
  }
}
