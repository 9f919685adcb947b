import { AppError } from '../../errors/app-error.ts'

/**
 * The caller's wish to end a call that has bought nothing yet. It counts until the first request to
 * a vendor: from then on the call continues, because the vendor may charge for it.
 */
export class Cancellation {
  readonly #signal: AbortSignal
  #hasBegun = false

  constructor(signal: AbortSignal) {
    this.#signal = signal
  }

  /** Call it right before a vendor request. Throws AppError call_cancelled if the caller cancelled before the first one. */
  begin(): void {
    this.check()
    this.#hasBegun = true
  }

  /** Throws AppError call_cancelled if the caller cancelled before the first vendor request. */
  check(): void {
    if (!this.#hasBegun && this.#signal.aborted) throw new AppError('call_cancelled')
  }
}
