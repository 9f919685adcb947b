/**
 * Lets an upstream's events through as they came, whole, and takes out what the gateway answers itself: the usage at the
 * end, errors, and the end mark. An event that cannot be one of these is not even parsed.
 */
import { GatheredBytes } from '../../lib/gathered-bytes.ts'
import { Delivered } from './delivered.ts'
import { listedFields, parseFields, type Fields } from '../../lib/json-fields.ts'
import { dataOf, endOfEvent, endOfLastEvent, isEndMark } from './read-event.ts'
import { errorOf, type ToldError } from '../ask/told-error.ts'
import { readUsage, type ReportedUsage } from '../bill/usage.ts'

const LONGEST_EVENT_BYTES = 1024 * 1024
/** The longest end of an event is "\n\r\n", which may be cut anywhere. */
const BYTES_BEFORE_LAST_OF_SEPARATOR = 2

export class EventFilter {
  /** The first event, parsed; null until it is there. */
  first: Fields | null = null
  usage: ReportedUsage | null = null
  /** The event that reported the usage. */
  usageEvent: Fields | null = null
  error: ToldError | null = null
  /** The usage came in an event of its own, as it does after the last word; some upstreams report it beside every word. */
  isReported = false
  /** The end mark came. */
  isDone = false
  /** Events with words after a finish reason: of another choice, or of an upstream that gives the reason with every event. */
  wordsAfterFinish = 0
  /** Choices whose finish reason has passed. */
  readonly #finished = new Set<unknown>()
  /** The beginning of an event. */
  #carry: GatheredBytes | null = null

  get isOver(): boolean {
    return this.isDone || this.error !== null
  }

  get finishedChoices(): number {
    return this.#finished.size
  }

  /** What came last is an event, but for the empty line after it: the upstream may leave that out at its end. */
  get isLastEventUnended(): boolean {
    const data = this.#carry === null || this.isOver ? null : dataOf(this.#carry.bytes)
    return data !== null && (isEndMark(data) || parseFields(data) !== null)
  }

  /** What of the bytes so far can go to the caller now: whole events only. Null when there is nothing. */
  push(chunk: Buffer): Buffer | null {
    if (this.isOver) return null
    const whole = this.#wholeEvents(chunk)
    if (this.#carry !== null && this.#carry.size > LONGEST_EVENT_BYTES)
      this.error = { message: 'The upstream sent an event without an end.', code: null }
    if (whole === null) return null
    return this.first !== null &&
      this.usage === null &&
      this.#finished.size === 0 &&
      !mayMatter(whole)
      ? whole
      : this.#sift(whole)
  }

  /** Those that end in the chunk; what comes after them is kept. Of what was kept before nothing is looked at again, however much it is. */
  #wholeEvents(chunk: Buffer): Buffer | null {
    const seen = Math.max(0, (this.#carry?.size ?? 0) - BYTES_BEFORE_LAST_OF_SEPARATOR)
    this.#carry?.add(chunk)
    const bytes = this.#carry?.bytes ?? chunk
    const end = endOfLastEvent(bytes.subarray(seen))
    if (end > 0) this.#carry = null
    const whole = end === 0 ? null : bytes.subarray(0, seen + end)
    if (this.#carry === null && bytes.length > (whole?.length ?? 0))
      (this.#carry = new GatheredBytes()).add(bytes.subarray(whole?.length ?? 0))
    return whole
  }

  #sift(bytes: Buffer): Buffer | null {
    const kept: Buffer[] = []
    for (let start = 0; start < bytes.length && !this.isOver;) {
      const end = endOfEvent(bytes, start)
      const passing = this.#passing(bytes.subarray(start, end))
      if (passing !== null) kept.push(passing)
      start = end
    }
    return kept.length === 0 ? null : kept.length === 1 ? (kept[0] ?? null) : Buffer.concat(kept)
  }

  /** What of an event goes to the caller; null for nothing. */
  #passing(event: Buffer): Buffer | null {
    const data = dataOf(event)
    const json = data === null ? null : parseFields(data)
    if (data !== null && isEndMark(data)) this.isDone = true
    // A comment keeps the connection alive; it is not the answer's first byte.
    if (json === null) return this.first === null || this.isDone ? null : event
    this.error = errorOf(json)
    if (this.error !== null) return null
    this.first ??= json
    if (this.#finished.size > 0 && saysSomething(json)) this.wordsAfterFinish += 1
    for (const [place, choice] of listedFields(json['choices']).entries())
      if (typeof choice['finish_reason'] === 'string' && choice['finish_reason'] !== '')
        this.#finished.add(choice['index'] ?? place)
    if (json['usage'] !== undefined && json['usage'] !== null) return this.#withoutUsage(json)
    if (this.usage !== null && saysSomething(json)) this.#forgetUsage()
    return event
  }

  /** Words came after it, which it does not count. */
  #forgetUsage(): void {
    this.usage = null
    this.usageEvent = null
    this.isReported = false
  }

  /** With choices beside the usage, the event belongs to the answer; the usage does not, which the gateway tells itself. */
  #withoutUsage(json: Fields): Buffer | null {
    const usage = readUsage(json['usage'])
    if (usage !== null) {
      this.usage = usage
      this.usageEvent = json
    }
    const { usage: _told, ...rest } = json
    if (Array.isArray(json['choices']) && json['choices'].length > 0)
      return Buffer.from(`data: ${JSON.stringify(rest)}\n\n`)
    if (usage !== null) this.isReported = true
    return null
  }
}

function saysSomething(json: Fields): boolean {
  const said = new Delivered()
  said.addChoices(json['choices'])
  return said.hasWords
}

// Within a JSON string a quote is escaped, so what a model writes cannot look like the first three. Some upstreams carry an
// empty usage in every event. One expression over one-byte characters is what costs least, 80 ns an event.
const MATTERS = /"usage"\s*:\s*[^\sn]|"finish_reason"\s*:\s*"|"error"|\[DONE\]/

function mayMatter(bytes: Buffer): boolean {
  return MATTERS.test(bytes.toString('latin1'))
}
