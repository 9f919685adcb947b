import { highlight } from '../../../code/highlight.ts'
import { callSnippets } from '../../../code/snippets.ts'
import { copy } from '../copy.ts'
import { recall, remember } from '../stored.ts'
import { fillTestKey } from '../test-key.ts'
import type { CallName } from './send-call.ts'

/** The code tabs of a playground. They show the call with the entered values. */
export class PlayCode {
  readonly #root: HTMLElement
  readonly #call: CallName
  #input: Readonly<Record<string, unknown>> = {}

  constructor(root: HTMLElement, call: CallName) {
    this.#root = root
    this.#call = call
    for (const tab of root.querySelectorAll<HTMLInputElement>(':scope > input'))
      tab.addEventListener('change', () => {
        if (tab.value !== 'try') remember('language', tab.value)
      })
    const button = root.querySelector<HTMLButtonElement>('[data-play-copy]')
    button?.addEventListener('click', () => this.#copy(button))
  }

  show(input: Readonly<Record<string, unknown>>): void {
    this.#input = input
    for (const { id, text, language } of this.#snippets()) {
      const panel = this.#root.querySelector<HTMLElement>(`[data-snippet="${id}"]`)
      const code = panel?.querySelector('code')
      if (panel === null || code === null || code === undefined) continue
      // The template tag escapes the values.
      code.innerHTML = highlight(text, language).markup
      fillTestKey(panel)
    }
  }

  /** Copies the shown language, or the last one of this browser. */
  #copy(button: HTMLElement): void {
    const chosen = this.#root.querySelector<HTMLInputElement>(':scope > input:checked')?.value
    const language = chosen === undefined || chosen === 'try' ? recall('language') : chosen
    const snippets = this.#snippets()
    const found = snippets.find(({ id }) => id === language) ?? snippets[0]
    const code = this.#root.querySelector(`[data-snippet="${found?.id}"] code`)
    void copy(button, code?.textContent ?? '', `Copied as ${found?.label}`)
  }

  #snippets() {
    const publicUrl = this.#root.dataset['url'] ?? location.origin
    return callSnippets({ publicUrl, ...this.#call, input: this.#input })
  }
}
