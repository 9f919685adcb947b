/**
 * Passes an upstream's events on unchanged and removes those that the gateway writes itself: the
 * final usage, errors, and the end mark. Events that cannot be one of these are not parsed.
 */
import { Delivered } from './delivered.ts'
import { listedFields, parseFields, type Fields } from '../../lib/json-fields.ts'
import type { EventReader } from './event-reader.ts'
import { dataOf, endOfEvent, isEndMark } from './read-event.ts'
import { errorOf, type UpstreamError } from '../ask/upstream-error.ts'
import { readUsage, usageIn, type ReportedUsage } from '../bill/usage.ts'
import { LONGEST_EVENT_BYTES, WholeEvents } from './whole-events.ts'

export class EventFilter implements EventReader {
  /** The first event, parsed; null before it arrives. */
  first: Fields | null = null
  usage: ReportedUsage | null = null
  /** The event with the usage. */
  usageEvent: Fields | null = null
  error: UpstreamError | null = null
  /**
   * The usage arrived in its own event, after the last word. Some upstreams report it with every
   * word.
   */
  isReported = false
  /** The end mark arrived. */
  isDone = false
  /**
   * Events with words after a finish reason: of another choice, or of an upstream that sends the
   * reason with every event.
   */
  wordsAfterFinish = 0
  /** Choices with a finish reason. */
  readonly #finished = new Set<unknown>()
  readonly #usageOfChoices = new Map<unknown, Fields>()
  readonly #events = new WholeEvents()
  readonly promptUsage = null
  readonly lastEvent = null

  get id(): unknown {
    return this.first?.['id']
  }

  get isOver(): boolean {
    return this.isDone || this.error !== null
  }

  get finishedChoices(): number {
    return this.#finished.size
  }

  /** The last bytes are an event without its empty line, which an upstream may omit at the end. */
  get isLastEventUnended(): boolean {
    const { rest } = this.#events
    const data = rest === null || this.isOver ? null : dataOf(rest)
    return data !== null && (isEndMark(data) || parseFields(data) !== null)
  }

  /** Adds bytes and returns the complete events for the caller, or null. */
  push(chunk: Buffer): Buffer | null {
    if (this.isOver) return null
    const whole = this.#events.push(chunk)
    if ((this.#events.rest?.length ?? 0) > LONGEST_EVENT_BYTES)
      this.error = { message: 'The upstream sent an event without an end.', code: null }
    if (whole === null) return null
    return this.first !== null &&
      this.usage === null &&
      this.#finished.size === 0 &&
      !mayMatter(whole)
      ? whole
      : this.#sift(whole)
  }

  #sift(bytes: Buffer): Buffer | null {
    const passed: Buffer[] = []
    for (let start = 0; start < bytes.length && !this.isOver;) {
      const end = endOfEvent(bytes, start)
      const passing = this.#passing(bytes.subarray(start, end))
      if (passing !== null) passed.push(passing)
      start = end
    }
    return passed.length === 0
      ? null
      : passed.length === 1
        ? (passed[0] ?? null)
        : Buffer.concat(passed)
  }

  /** The part of an event for the caller; null if none. */
  #passing(event: Buffer): Buffer | null {
    const data = dataOf(event)
    const json = data === null ? null : parseFields(data)
    if (data !== null && isEndMark(data)) this.isDone = true
    // A comment keeps the connection alive but is not the response's first byte.
    if (json === null) return this.first === null || this.isDone ? null : event
    this.error = errorOf(json)
    if (this.error !== null) return null
    this.first ??= json
    if (this.#finished.size > 0 && hasWords(json)) this.wordsAfterFinish += 1
    for (const [place, choice] of listedFields(json['choices']).entries())
      if (typeof choice['finish_reason'] === 'string' && choice['finish_reason'] !== '')
        this.#finished.add(choice['index'] ?? place)
    const usage = usageIn(json, this.#usageOfChoices)
    if (usage !== null) {
      this.usage = readUsage(usage)
      this.usageEvent = { ...json, usage }
    } else if (this.usage !== null && hasWords(json)) this.#forgetUsage()
    return json['usage'] === undefined || json['usage'] === null
      ? event
      : this.#withoutUsage(json, usage)
  }

  /** More words arrived, which the usage does not include. */
  #forgetUsage(): void {
    this.usage = null
    this.usageEvent = null
    this.isReported = false
  }

  /**
   * Removes the usage, which the gateway writes itself. An event with choices is passed on without
   * it.
   */
  #withoutUsage({ usage: _usage, ...rest }: Fields, read: Fields | null): Buffer | null {
    if (Array.isArray(rest['choices']) && rest['choices'].length > 0)
      return Buffer.from(`data: ${JSON.stringify(rest)}\n\n`)
    if (read !== null) this.isReported = true
    return null
  }
}

function hasWords(json: Fields): boolean {
  const delivered = new Delivered()
  delivered.addChoices(json['choices'])
  return delivered.hasWords
}

// A quote is escaped inside a JSON string, so a model's words cannot match the first three. Some
// upstreams send an empty usage in every event. One regular expression over single-byte characters
// is cheapest: 80 ns per event.
const MATTERS = /"usage"\s*:\s*[^\sn]|"finish_reason"\s*:\s*"|"error"|\[DONE\]/

function mayMatter(bytes: Buffer): boolean {
  return MATTERS.test(bytes.toString('latin1'))
}
