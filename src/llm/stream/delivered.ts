import { isFields, listedFields, parseFields, type Fields } from '../../lib/json-fields.ts'
import { wordsOf } from './message-words.ts'
import { dataOf, endOfEvent } from './read-event.ts'
import { argumentText, callsIn } from './tool-calls.ts'

// Short responses are parsed only if their tokens must be counted. Of long ones, only the text is
// stored.
const MAX_RAW_BYTES = 32 * 1024
const FIRST_RAW_BYTES = 4 * 1024
const THOUGHTS = ' reasoning'

/** The content of an event as choices of chat completions. */
type ChoicesOf = (event: Fields) => unknown

/** The part of a response sent to the caller, for counting its tokens if the upstream does not. */
export class Delivered {
  readonly #choicesOf: ChoicesOf
  // Copied, because a chunk would keep the whole socket read in memory.
  #raw: Buffer = NOTHING
  #rawBytes = 0
  /** By choice and kind, so that words received in pieces are complete. */
  readonly #texts = new Map<string, string>()
  readonly #begun = new Set<number>()
  #hasAnswer = false
  readonly #ended = new Set<number>()

  constructor(choicesOf: ChoicesOf = (event) => event['choices']) {
    this.#choicesOf = choicesOf
  }

  add(events: Buffer): void {
    if (this.#rawBytes + events.length > MAX_RAW_BYTES) this.#condense()
    if (events.length > MAX_RAW_BYTES) {
      this.#read(events)
      return
    }
    this.#reserve(this.#rawBytes + events.length)
    this.#raw.set(events, this.#rawBytes)
    this.#rawBytes += events.length
  }

  /** Adds the choices of an event, or of a whole response. */
  addChoices(choices: unknown): void {
    for (const [place, choice] of listedFields(choices).entries())
      this.#addChoice(choice, typeof choice['index'] === 'number' ? choice['index'] : place)
  }

  /** All received texts, one per choice and kind. */
  get texts(): readonly string[] {
    this.#condense()
    return [...this.#texts.values()]
  }

  get hasWords(): boolean {
    this.#condense()
    return this.#texts.size > 0
  }

  /** Characters of visible thinking. */
  get thoughtLength(): number {
    this.#condense()
    return [...this.#texts].reduce(
      (sum, [slot, text]) => (slot.endsWith(THOUGHTS) ? sum + text.length : sum),
      0,
    )
  }

  /**
   * Whether there is any message, even without words. Parses only up to the first one, because every
   * stream is checked.
   */
  get hasBegun(): boolean {
    return (
      this.#hasAnswer ||
      choicesIn(this.#raw.subarray(0, this.#rawBytes), this.#choicesOf).some((choices) =>
        listedFields(choices).some(({ delta, message }) => isFields(delta ?? message)),
      )
    )
  }

  /** Whether every started choice has a finish reason. */
  get isFinished(): boolean {
    this.#condense()
    return this.#ended.size > 0 && this.#begun.isSubsetOf(this.#ended)
  }

  #addChoice(choice: Fields, place: number): void {
    this.#begun.add(place)
    if (typeof choice['finish_reason'] === 'string') this.#ended.add(place)
    const delta = choice['delta'] ?? choice['message']
    if (!isFields(delta)) return
    this.#hasAnswer = true
    const { thoughts, text, refusal } = wordsOf(delta)
    this.#append(`${place} content`, text)
    this.#append(`${place} refusal`, refusal)
    this.#append(`${place}${THOUGHTS}`, thoughts)
    for (const [index, call] of callsIn(delta).entries())
      this.#appendCall(
        `${place} tool ${typeof call['index'] === 'number' ? call['index'] : index}`,
        call['function'] ?? call['custom'],
      )
    // The older form of tool calls.
    this.#appendCall(`${place} function`, delta['function_call'])
  }

  #appendCall(slot: string, call: unknown): void {
    if (!isFields(call)) return
    this.#append(slot, call['name'])
    for (const part of ['arguments', 'input']) this.#append(slot, argumentText(call[part]))
  }

  #append(slot: string, value: unknown): void {
    if (typeof value === 'string' && value !== '')
      this.#texts.set(slot, (this.#texts.get(slot) ?? '') + value)
  }

  #reserve(bytes: number): void {
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
    for (const choices of choicesIn(bytes, this.#choicesOf)) this.addChoices(choices)
  }
}

/** The choices of each event, parsed on demand. */
function* choicesIn(events: Buffer, choicesOf: ChoicesOf): Generator<unknown, void> {
  for (let start = 0; start < events.length;) {
    const end = endOfEvent(events, start)
    const data = dataOf(events.subarray(start, end))
    // Comments have no data.
    const event = data === null ? null : parseFields(data)
    if (event !== null) yield choicesOf(event)
    start = end
  }
}

const NOTHING = Buffer.alloc(0)
