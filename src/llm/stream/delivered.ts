import { isFields, listedFields, parseFields, type Fields } from '../../lib/json-fields.ts'
import { dataOf, endOfEvent } from './read-event.ts'

// Short answers are never looked into unless their tokens must be counted; of long ones only the text is kept.
const KEPT_RAW_BYTES = 32 * 1024
const FIRST_RAW_BYTES = 4 * 1024
const THOUGHTS = ' reasoning'

/** What of an answer went to the caller, for counting it should the upstream not have. */
export class Delivered {
  // Copied together: a chunk that is kept would keep all of the read that it came with.
  #raw: Buffer = NOTHING
  #rawBytes = 0
  /** By choice and kind, so that words which came in pieces are whole. */
  readonly #texts = new Map<string, string>()
  readonly #begun = new Set<number>()
  readonly #ended = new Set<number>()

  add(events: Buffer): void {
    if (this.#rawBytes + events.length > KEPT_RAW_BYTES) this.#condense()
    if (events.length > KEPT_RAW_BYTES) {
      this.#read(events)
      return
    }
    this.#makeRoom(this.#rawBytes + events.length)
    this.#raw.set(events, this.#rawBytes)
    this.#rawBytes += events.length
  }

  /** Those of an event, or of a whole answer. */
  addChoices(choices: unknown): void {
    for (const [place, choice] of listedFields(choices).entries())
      this.#addChoice(choice, typeof choice['index'] === 'number' ? choice['index'] : place)
  }

  /** Everything that was said, each kind of each choice as a text of its own. */
  get texts(): readonly string[] {
    this.#condense()
    return [...this.#texts.values()]
  }

  get hasWords(): boolean {
    this.#condense()
    return this.#texts.size > 0
  }

  /** Characters of the thoughts that were shown. */
  get thoughtLength(): number {
    this.#condense()
    return [...this.#texts].reduce(
      (sum, [slot, text]) => (slot.endsWith(THOUGHTS) ? sum + text.length : sum),
      0,
    )
  }

  /** Whether there is any choice, be it without a word. Looks no further than the first: it is asked of every stream. */
  get hasBegun(): boolean {
    return (
      this.#begun.size > 0 ||
      choicesIn(this.#raw.subarray(0, this.#rawBytes)).some(
        (choices) => listedFields(choices).length > 0,
      )
    )
  }

  /** Whether the upstream said of each choice that it began why it stopped. */
  get isFinished(): boolean {
    this.#condense()
    return this.#ended.size > 0 && this.#begun.isSubsetOf(this.#ended)
  }

  #addChoice(choice: Fields, place: number): void {
    this.#begun.add(place)
    if (typeof choice['finish_reason'] === 'string') this.#ended.add(place)
    const delta = choice['delta'] ?? choice['message']
    if (!isFields(delta)) return
    for (const kind of ['content', 'refusal']) this.#append(`${place} ${kind}`, delta[kind])
    // Some upstreams write the same thoughts under both names.
    this.#append(`${place}${THOUGHTS}`, delta['reasoning'] || delta['reasoning_content'])
    const calls = listedFields(delta['tool_calls'])
    for (const [index, call] of calls.entries())
      this.#appendCall(
        `${place} tool ${typeof call['index'] === 'number' ? call['index'] : index}`,
        call['function'] ?? call['custom'],
      )
    // The form of calls before there were tools.
    this.#appendCall(`${place} function`, delta['function_call'])
  }

  #appendCall(slot: string, call: unknown): void {
    if (!isFields(call)) return
    for (const part of ['name', 'arguments', 'input']) this.#append(slot, call[part])
  }

  #append(slot: string, said: unknown): void {
    const text = typeof said === 'string' ? said : textOfParts(said)
    if (text !== '') this.#texts.set(slot, (this.#texts.get(slot) ?? '') + text)
  }

  #makeRoom(bytes: number): void {
    if (bytes <= this.#raw.length) return
    let size = Math.max(FIRST_RAW_BYTES, this.#raw.length)
    while (size < bytes) size *= 2
    const larger = Buffer.allocUnsafeSlow(size)
    larger.set(this.#raw.subarray(0, this.#rawBytes))
    this.#raw = larger
  }

  #condense(): void {
    this.#read(this.#raw.subarray(0, this.#rawBytes))
    this.#rawBytes = 0
  }

  #read(bytes: Buffer): void {
    for (const choices of choicesIn(bytes)) this.addChoices(choices)
  }
}

/** Those of each event, parsed when it is their turn. */
function* choicesIn(events: Buffer): Generator<unknown, void> {
  for (let start = 0; start < events.length;) {
    const end = endOfEvent(events, start)
    const data = dataOf(events.subarray(start, end))
    // A comment has none.
    if (data !== null) yield parseFields(data)?.['choices']
    start = end
  }
}

/** Some upstreams write an answer as a list of parts, of which one may hold thoughts as parts in turn. */
function textOfParts(said: unknown): string {
  const texts = listedFields(said)
    .flatMap((part) => [part, ...listedFields(part['thinking'])])
    .map(({ text }) => text)
  return texts.filter((text) => typeof text === 'string').join('')
}

const NOTHING = Buffer.alloc(0)
