import type { Dispatcher } from 'undici'
import type { PlainRequest } from './request-text.ts'

/** The connection that carries a request. */
export type Carrier = { pause(): void; resume(): void; drop(reason: Error): void }

/** A request in progress that can be paused and aborted. Calls its handler once with the result. */
export class ExchangeInProgress implements Dispatcher.DispatchController {
  readonly request: PlainRequest
  readonly handler: Dispatcher.DispatchHandler
  carrier: Carrier | null = null
  paused = false
  reason: Error | null = null
  #isOver = false

  constructor(request: PlainRequest, handler: Dispatcher.DispatchHandler) {
    this.request = request
    this.handler = handler
  }

  get aborted(): boolean {
    return this.reason !== null
  }

  get isOver(): boolean {
    return this.#isOver
  }

  pause(): void {
    if (this.paused) return
    this.paused = true
    this.carrier?.pause()
  }

  resume(): void {
    if (!this.paused) return
    this.paused = false
    this.carrier?.resume()
  }

  /** Closes the connection, because the rest of the response would arrive on it. */
  abort(reason: Error): void {
    if (this.#isOver) return
    this.reason = reason
    const { carrier } = this
    this.fail(reason)
    carrier?.drop(reason)
  }

  fail(error: Error): void {
    if (this.#isOver) return
    this.#isOver = true
    this.carrier = null
    this.handler.onResponseError?.(this, error)
  }

  complete(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.carrier = null
    try {
      this.handler.onResponseEnd?.(this, {})
    } catch (error) {
      // Not thrown to the connection, which may carry another request by now.
      this.handler.onResponseError?.(this, error as Error)
    }
  }
}
