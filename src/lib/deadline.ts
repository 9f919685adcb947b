/**
 * The time by which a piece of work must be done. Every call has one, and few need an AbortSignal,
 * which costs more to create than the rest of a deadline. So the signal is created on first use.
 */
export class Deadline {
  readonly #timer: NodeJS.Timeout
  readonly #parent: Deadline | undefined
  readonly #endsMs: number
  /** The time that was available at the start, limited by the parent. */
  readonly givenMs: number
  #isOver = false
  #listeners: (() => void)[] = []
  #controller: AbortController | undefined

  /** Ends after `timeoutMs`, and with `parent` if that ends first. Call `end` when the work is done. */
  constructor(timeoutMs: number, parent?: Deadline) {
    this.#timer = setTimeout(this.#expire, timeoutMs)
    this.#parent = parent
    const nowMs = performance.now()
    this.#endsMs = Math.min(
      nowMs + timeoutMs,
      parent === undefined ? Number.POSITIVE_INFINITY : parent.#endsMs,
    )
    this.givenMs = this.#endsMs - nowMs
    parent?.onExpire(this.#expire)
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** Milliseconds until the end. Can be positive after the end when the work was aborted early. */
  get leftMs(): number {
    return Math.max(0, this.#endsMs - performance.now())
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController()
    if (this.#isOver) this.#controller.abort()
    return this.#controller.signal
  }

  /** Calls `listener` once when the time is up, immediately when it already is. */
  onExpire(listener: () => void): void {
    if (this.#isOver) listener()
    else this.#listeners.push(listener)
  }

  removeListener(listener: () => void): void {
    this.#listeners = this.#listeners.filter((one) => one !== listener)
  }

  /** Ends the time now. */
  expire(): void {
    this.#expire()
  }

  /** Marks the work as done. No listener is called afterwards. */
  end(): void {
    clearTimeout(this.#timer)
    this.#parent?.removeListener(this.#expire)
    this.#listeners = []
  }

  readonly #expire = (): void => {
    if (this.#isOver) return
    this.#isOver = true
    const listeners = this.#listeners
    this.end()
    this.#controller?.abort()
    for (const listener of listeners) listener()
  }
}
