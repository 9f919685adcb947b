import { priceText } from './price-text.ts'
import { sendPrice, type CallName, type Mode } from './send-call.ts'
import { showFailure, showSignIn } from './show-failure.ts'

const PAUSE_MS = 400

type Price = {
  readonly price_micros: number
  readonly is_exact: boolean
  readonly price_id: string
}

/** The mode of a playground, and the price of a live call on its button. */
export class PlayPrice {
  readonly #root: HTMLElement
  readonly #call: CallName
  readonly #button: HTMLButtonElement | null
  #timer: ReturnType<typeof setTimeout> | undefined
  #asking = new AbortController()
  #price: Price | null = null
  #running = false

  constructor(root: HTMLElement, call: CallName) {
    this.#root = root
    this.#call = call
    this.#button = root.querySelector<HTMLButtonElement>('[data-play-run]')
  }

  get mode(): Mode {
    const chosen = this.#root.querySelector<HTMLInputElement>('[name="play-mode"]:checked')
    return chosen?.value === 'live' ? 'live' : 'test'
  }

  /** Rejects the call if the price rule has changed since. Null while the price is unknown. */
  get priceId(): string | null {
    return this.#price?.price_id ?? null
  }

  /** Asks for the price of a live call with new values. Null: the form has errors. */
  update(input: Readonly<Record<string, unknown>> | null): void {
    clearTimeout(this.#timer)
    this.#asking.abort()
    this.#price = null
    if (this.mode === 'live' && input !== null)
      this.#timer = setTimeout(() => void this.#ask(input), PAUSE_MS)
    this.#show()
  }

  setRunning(running: boolean): void {
    this.#running = running
    this.#show()
  }

  async #ask(input: Readonly<Record<string, unknown>>): Promise<void> {
    this.#asking = new AbortController()
    const { signal } = this.#asking
    try {
      const { status, body } = await sendPrice(this.#call, input, signal)
      if (signal.aborted) return
      if (status === 401) return showSignIn(this.#root)
      const error = body?.error
      showFailure(this.#root, error === undefined ? '' : `${error.message} ${error.fix}`)
      this.#price = error === undefined ? (body?.data as Price) : null
    } catch {
      if (signal.aborted) return
      showFailure(this.#root, 'The price could not be read. Check your connection.')
    }
    this.#show()
  }

  #show(): void {
    const label = this.#button?.querySelector('[data-play-label]')
    if (this.#button === null || label === null || label === undefined) return
    const isLive = this.mode === 'live'
    // Not `disabled`, which would take the focus away.
    const isBlocked = this.#running || (isLive && this.#price === null)
    this.#button.setAttribute('aria-disabled', String(isBlocked))
    this.#root.dataset['mode'] = this.mode
    label.textContent = this.#running
      ? 'Running…'
      : isLive
        ? liveLabel(this.#price)
        : 'Run in test mode'
  }
}

function liveLabel(price: Price | null): string {
  if (price === null) return 'Run live'
  if (price.price_micros === 0) return 'Run live, free'
  return `Run for ${price.is_exact ? '' : 'up to '}${priceText(price.price_micros)}`
}
