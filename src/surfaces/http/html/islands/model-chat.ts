/** A chat with a language model: several turns, a stop button, tokens and the charge of each answer. */
import { element } from './parts/play/element.ts'
import { priceText } from './parts/play/price-text.ts'
import { newOnce, type Mode } from './parts/play/send-call.ts'
import { showFailure, showSignIn } from './parts/play/show-failure.ts'
import {
  ChatError,
  readCharge,
  streamChat,
  type ChatEnd,
  type ChatMessage,
} from './parts/play/stream-chat.ts'

const LARGEST_LIMIT_CENTS = 10_000
const LONGEST_MODEL = 200

class Chat {
  readonly #root: HTMLElement
  readonly #form: HTMLFormElement
  readonly #log: HTMLElement
  #turns: ChatMessage[] = []
  #running: AbortController | null = null
  // A message that is sent again after a lost connection is charged once.
  #once = newOnce()

  constructor(root: HTMLElement, form: HTMLFormElement, log: HTMLElement) {
    this.#root = root
    this.#form = form
    this.#log = log
  }

  /** Starts to listen to the form. */
  listen(): void {
    const form = this.#form
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      void this.#send()
    })
    form.addEventListener('input', () => {
      this.#once = newOnce()
      this.#show()
    })
    form.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      form.requestSubmit()
    })
    this.#button('stop')?.addEventListener('click', () => this.#running?.abort())
    this.#button('clear')?.addEventListener('click', () => this.#clear())
    const model = new URLSearchParams(location.search).get('model')
    const control = this.#control('model')
    if (model !== null && model.length <= LONGEST_MODEL && control !== null) control.value = model
    this.#show()
  }

  async #send(): Promise<void> {
    const text = this.#text('message').trim()
    const mostCents = this.#limit()
    if (this.#running !== null) return
    if (text === '') return this.#control('message')?.focus()
    if (mostCents === null)
      return showFailure(
        this.#root,
        `The limit is a whole number of cents from 1 to ${LARGEST_LIMIT_CENTS}.`,
      )
    showFailure(this.#root, '')
    const mode = this.#mode()
    const system = this.#text('system').trim()
    const question: ChatMessage = { role: 'user', content: text }
    this.#log.querySelector('[data-chat-empty]')?.remove()
    const asked = this.#addTurn('You', text)
    const answer = this.#addTurn('Model', '')
    const body = answer.querySelector('.chat-text') ?? answer
    this.#running = new AbortController()
    this.#show()
    const message = this.#control('message')
    if (message !== null) message.value = ''
    const { signal } = this.#running
    let received = ''
    try {
      const end = await streamChat(
        {
          model: this.#text('model').trim() || (this.#root.dataset['model'] ?? ''),
          messages: [
            ...(system === '' ? [] : [{ role: 'system', content: system } as const]),
            ...this.#turns,
            question,
          ],
          mode,
          mostCents,
          once: this.#once,
          signal,
        },
        (part) => {
          received += part
          body.textContent = received
          this.#log.scrollTop = this.#log.scrollHeight
        },
      )
      this.#once = newOnce()
      this.#turns.push(question, { role: 'assistant', content: received })
      await this.#showEnd(answer, mode, end)
    } catch (error) {
      // After a lost connection the key stays, so that the same message is not charged again.
      if (signal.aborted || error instanceof ChatError) this.#once = newOnce()
      if (signal.aborted) {
        // Some models reject a history with an empty answer.
        if (received !== '') this.#turns.push(question, { role: 'assistant', content: received })
        const charged = mode === 'live' ? ' The tokens until then are charged.' : ''
        answer.append(element('p', 'chat-facts', `Stopped.${charged}`))
      } else {
        // The question returns to the field, so that it can be sent again.
        asked.remove()
        answer.remove()
        if (message !== null && message.value === '') message.value = text
        this.#showError(error)
      }
    }
    this.#running = null
    this.#show()
    message?.focus()
  }

  #showError(error: unknown): void {
    if (error instanceof ChatError && error.status === 401) return showSignIn(this.#root)
    showFailure(
      this.#root,
      error instanceof ChatError
        ? error.message
        : 'The gateway could not be reached. Check your connection, then send it again.',
    )
  }

  async #showEnd(
    answer: HTMLElement,
    mode: Mode,
    { requestId, promptTokens, completionTokens }: ChatEnd,
  ): Promise<void> {
    const facts = element('p', 'chat-facts')
    if (mode === 'test') facts.append(element('span', 'badge test', 'Simulated'))
    if (promptTokens !== null && completionTokens !== null)
      facts.append(element('span', '', `${promptTokens} + ${completionTokens} tokens`))
    answer.append(facts)
    if (requestId === null) return
    const charged = await readCharge(mode, requestId)
    if (charged === null) return
    const text = charged === 0 ? 'Not charged' : priceText(charged)
    facts.append(
      element(
        'span',
        '',
        mode === 'test' && charged > 0
          ? `${text} in play money`
          : charged > 0
            ? `Charged ${text}`
            : text,
      ),
    )
  }

  #addTurn(name: string, text: string): HTMLElement {
    const turn = element('div', `chat-turn ${name === 'You' ? 'own' : ''}`.trim())
    turn.append(element('p', 'chat-name', name), element('div', 'chat-text', text))
    this.#log.append(turn)
    this.#log.scrollTop = this.#log.scrollHeight
    return turn
  }

  #clear(): void {
    if (this.#running !== null) return
    this.#turns = []
    this.#log.replaceChildren(element('p', 'muted', 'Send a message to try the model.'))
    this.#log.firstElementChild?.setAttribute('data-chat-empty', '')
    this.#show()
    this.#control('message')?.focus()
  }

  #show(): void {
    const isRunning = this.#running !== null
    const [send, stop, clear] = [this.#button('send'), this.#button('stop'), this.#button('clear')]
    const label = send?.querySelector('[data-play-label]')
    const limit = this.#limit()
    if (label !== null && label !== undefined)
      label.textContent = isRunning
        ? 'Answering…'
        : this.#mode() === 'test'
          ? 'Send in test mode'
          : limit === null
            ? 'Send live'
            : `Send for up to ${priceText(limit * 10_000)}`
    send?.setAttribute('aria-disabled', String(isRunning))
    if (stop !== null) stop.hidden = !isRunning
    if (clear !== null) clear.hidden = isRunning || this.#turns.length === 0
  }

  #mode(): Mode {
    return this.#form.querySelector<HTMLInputElement>('[name="mode"]:checked')?.value === 'live'
      ? 'live'
      : 'test'
  }

  #limit(): number | null {
    const cents = Number(this.#text('limit'))
    return Number.isInteger(cents) && cents >= 1 && cents <= LARGEST_LIMIT_CENTS ? cents : null
  }

  #text(name: string): string {
    return this.#control(name)?.value ?? ''
  }

  #control(name: string): HTMLInputElement | HTMLTextAreaElement | null {
    return this.#form.querySelector<HTMLInputElement | HTMLTextAreaElement>(`[name="${name}"]`)
  }

  #button(name: string): HTMLButtonElement | null {
    return this.#root.querySelector<HTMLButtonElement>(`[data-chat-${name}]`)
  }
}

for (const root of document.querySelectorAll<HTMLElement>('[data-chat]')) {
  const [form, log] = [
    root.querySelector('form'),
    root.querySelector<HTMLElement>('[data-chat-log]'),
  ]
  if (form !== null && log !== null) new Chat(root, form, log).listen()
}
