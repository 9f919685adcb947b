/**
 * Reads the streams of the Messages and Responses APIs. Events pass unchanged; the last one waits
 * until the charge is settled. Only events that begin or end a response are parsed.
 */
import { parseFields, type Fields } from '../../lib/json-fields.ts'
import type { UpstreamError } from '../ask/upstream-error.ts'
import type { ReportedUsage } from '../bill/usage.ts'
import type { EventReader } from '../stream/event-reader.ts'
import { dataOf, endOfEvent } from '../stream/read-event.ts'
import { LONGEST_EVENT_BYTES, WholeEvents } from '../stream/whole-events.ts'
import type { TokenUsage } from '../tokens/token-price.ts'

/** The meaning of the events of an API. */
export type EventCodec = {
  /** Matches the events that begin or end a response, or report usage or an error. */
  readonly matters: RegExp
  idOf(event: Fields): unknown
  errorOf(event: Fields): UpstreamError | null
  /** The usage that the event reports, whole or in part. Later parts replace earlier ones. */
  usageIn(event: Fields): Fields | null
  readUsage(usage: Fields): ReportedUsage | null
  /** Whether the event has the finish reason, so that its usage is final. */
  isFinish(event: Fields): boolean
  /** Whether nothing follows the event. */
  isLast(event: Fields): boolean
}

export class NativeReader implements EventReader {
  first: Fields | null = null
  id: unknown
  usage: ReportedUsage | null = null
  promptUsage: TokenUsage | null = null
  usageEvent: Fields | null = null
  error: UpstreamError | null = null
  isDone = false
  finishedChoices = 0
  lastEvent: Buffer | null = null
  readonly wordsAfterFinish = 0
  readonly #codec: EventCodec
  readonly #events = new WholeEvents()
  #parts: Fields = {}

  constructor(codec: EventCodec) {
    this.#codec = codec
  }

  get isReported(): boolean {
    return this.usage !== null
  }

  get isOver(): boolean {
    return this.isDone || this.error !== null
  }

  get isLastEventUnended(): boolean {
    const { rest } = this.#events
    const data = rest === null || this.isOver ? null : dataOf(rest)
    return data !== null && parseFields(data) !== null
  }

  push(chunk: Buffer): Buffer | null {
    if (this.isOver) return null
    const whole = this.#events.push(chunk)
    if ((this.#events.rest?.length ?? 0) > LONGEST_EVENT_BYTES)
      this.error = { message: 'The upstream sent an event without an end.', code: null }
    if (whole === null) return null
    if (this.first !== null && !this.#codec.matters.test(whole.toString('latin1'))) return whole
    const passed: Buffer[] = []
    for (let start = 0; start < whole.length && !this.isOver;) {
      const end = endOfEvent(whole, start)
      const event = whole.subarray(start, end)
      if (this.#passes(event)) passed.push(event)
      start = end
    }
    return passed.length === 0 ? null : Buffer.concat(passed)
  }

  /** Whether the caller receives the event now. */
  #passes(event: Buffer): boolean {
    const data = dataOf(event)
    const json = data === null ? null : parseFields(data)
    // A comment keeps the connection alive but is not the response's first byte.
    if (json === null) return this.first !== null && data === null
    this.error = this.#codec.errorOf(json)
    if (this.error !== null) return false
    this.first ??= json
    this.id ??= this.#codec.idOf(json)
    this.#readUsage(json)
    if (this.#codec.isFinish(json)) this.finishedChoices = 1
    if (!this.#codec.isLast(json)) return true
    this.isDone = true
    // Copied, because a chunk would keep the whole socket read in memory.
    this.lastEvent = Buffer.from(event)
    return false
  }

  #readUsage(json: Fields): void {
    const part = this.#codec.usageIn(json)
    if (part === null) return
    const named = Object.entries(part).filter(([, value]) => value !== null && value !== undefined)
    this.#parts = { ...this.#parts, ...Object.fromEntries(named) }
    const read = this.#codec.readUsage(this.#parts)
    if (read === null) return
    if (this.#codec.isFinish(json)) {
      this.usage = read
      this.usageEvent = json
    } else this.promptUsage = read.usage
  }
}
