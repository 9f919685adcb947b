/** Collects the text and the media of a prompt, for its highest and its likely number of tokens. */
import { addMediaTokens, NO_MEDIA_TOKENS, type MediaTokens, type Prompt } from '../bill/prompt.ts'
import { fileTokensOf, imageTokensOf } from '../bill/prompt-tokens.ts'

export class OwnPrompt {
  #mediaTokens: MediaTokens = NO_MEDIA_TOKENS
  #imageCount = 0
  #messageCount = 0
  readonly #texts: string[] = []
  usesLongCache = false

  addMessage(): void {
    this.#messageCount += 1
  }

  /** Adds a text, or any other value as JSON. */
  add(value: unknown): void {
    if (typeof value === 'string') this.#texts.push(value)
    else if (value !== undefined && value !== null) this.#texts.push(JSON.stringify(value))
  }

  /** `url` may be a data URL. */
  addImage(url: unknown, detail?: unknown): void {
    this.#imageCount += 1
    this.#mediaTokens = addMediaTokens(this.#mediaTokens, imageTokensOf({ url, detail }))
  }

  /** A document as JSON. One without its data is at another address. */
  addFile(part: string): void {
    this.#mediaTokens = addMediaTokens(this.#mediaTokens, fileTokensOf(part))
  }

  get prompt(): Prompt {
    return {
      text: this.#texts.join('\n'),
      mediaTokens: this.#mediaTokens,
      messageCount: this.#messageCount,
      imageCount: this.#imageCount,
      usesLongCache: this.usesLongCache,
    }
  }
}
