/** A piece of a tool call; absent texts are empty. */
export type CallPiece = {
  readonly index: number | null
  readonly id: string
  readonly name: string
  readonly text: string
  readonly isCustom: boolean
}

export const EMPTY_ARGUMENTS = '{}'

/** A tool call that arrives in pieces. */
export class StreamedCall {
  id = ''
  name = ''
  /** The arguments as JSON, or the free text of a custom tool. */
  text = ''
  /** The arguments are a whole JSON object or list. Never set for free text. */
  isComplete = false
  readonly isCustom: boolean
  /** Null if the upstream numbers no calls. */
  readonly index: number | null
  #untaken = ''
  #isJson: boolean | null
  #depth = 0
  #isQuoted = false
  #isEscaped = false

  constructor({ index, isCustom }: CallPiece) {
    this.index = index
    this.isCustom = isCustom
    this.#isJson = isCustom ? false : null
  }

  add({ id, name, text }: CallPiece): void {
    if (this.id === '') this.id = id
    // Some upstreams repeat the name in every piece, and some send it in pieces.
    if (name !== this.name) this.name += name
    this.#addText(text)
  }

  /**
   * The text that was not taken before. Empty arguments wait for the end of the call, because some
   * upstreams send them before the real ones.
   */
  take(isEnd: boolean): string {
    if (isEnd && this.text === '' && !this.isCustom) return EMPTY_ARGUMENTS
    if (!isEnd && this.text === EMPTY_ARGUMENTS) return ''
    const taken = this.#untaken
    this.#untaken = ''
    return taken
  }

  #addText(text: string): void {
    if (this.isComplete) {
      // Some upstreams repeat the whole call at its end.
      if (this.#untaken !== EMPTY_ARGUMENTS || !/^\s*\{/.test(text)) return
      this.text = ''
      this.#untaken = ''
      this.isComplete = false
    }
    const begun = this.text === '' && !this.isCustom ? text.trimStart() : text
    const part = begun.slice(0, this.#lengthOfArguments(begun))
    this.text += part
    this.#untaken += part
  }

  /** The length of the text up to the end of the JSON value. */
  #lengthOfArguments(text: string): number {
    if (this.#isJson === null && text.trim() !== '') this.#isJson = /^\s*[{[]/.test(text)
    if (this.#isJson !== true) return text.length
    for (let at = 0; at < text.length; at += 1) {
      this.#readCharacter(text[at])
      if (this.#depth === 0 && !this.#isQuoted && text[at]?.trim() !== '') {
        this.isComplete = true
        return at + 1
      }
    }
    return text.length
  }

  #readCharacter(character: string | undefined): void {
    if (this.#isEscaped) this.#isEscaped = false
    else if (this.#isQuoted && character === '\\') this.#isEscaped = true
    else if (character === '"') this.#isQuoted = !this.#isQuoted
    else if (this.#isQuoted) return
    else if (character === '{' || character === '[') this.#depth += 1
    else if (character === '}' || character === ']') this.#depth -= 1
  }
}
