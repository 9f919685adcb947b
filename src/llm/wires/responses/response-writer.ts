/** Converts the events of a chat stream to those of the Responses API. Each text, thought and tool call becomes an item. */
import type { AppError } from '../../../errors/app-error.ts'
import { wireError } from '../../ask/wire-error.ts'
import { fieldsOf, listedFields, parseFields, type Fields } from '../../../lib/json-fields.ts'
import type { EventReader } from '../../stream/event-reader.ts'
import { wordsOf } from '../../stream/message-words.ts'
import { dataOf, endOfEvent } from '../../stream/read-event.ts'
import type { AnswerFacts, StreamWriter } from '../caller-format.ts'
import { namedEvent } from '../write-event.ts'
import { messageWithFix } from '../messages/messages-error.ts'
import { finishOf, plainId, responseHead } from './response-of-completion.ts'
import { OpenItem } from './response-items.ts'
import { responseUsage } from './response-usage.ts'

export class ResponseWriter implements StreamWriter {
  readonly #request: Fields
  readonly #modelId: string
  #head: Fields | null = null
  #finish: unknown = null
  #sequence = 0
  /** By kind, in the order in which they began. */
  readonly #items = new Map<string, OpenItem>()
  #open: OpenItem | null = null

  constructor(request: Fields, modelId: string) {
    this.#request = request
    this.#modelId = modelId
  }

  pass(events: Buffer): Buffer | null {
    let written = ''
    for (let start = 0; start < events.length;) {
      const end = endOfEvent(events, start)
      const data = dataOf(events.subarray(start, end))
      const event = data === null ? null : parseFields(data)
      if (event !== null) written += this.#convert(event)
      // A comment keeps the connection alive.
      else if (this.#head !== null && data === null) written += ': waiting\n\n'
      start = end
    }
    return written === '' ? null : Buffer.from(written)
  }

  end(_reader: EventReader, { bill, isTest }: AnswerFacts, failure: AppError | null): string {
    if (failure !== null) return this.fail(failure)
    const begun = this.#begin({})
    const closed = this.#close()
    const finish = finishOf(this.#finish)
    const response = {
      ...this.#head,
      ...finish,
      output: [...this.#items.values()].map(({ whole }) => whole),
      usage: responseUsage(bill),
      ...(isTest ? { test: true } : {}),
    }
    return `${begun}${closed}${this.#event(`response.${String(finish['status'])}`, { response })}`
  }

  fail(error: AppError): string {
    return failedResponse(error, this.#head, this.#sequence)
  }

  #convert(event: Fields): string {
    const [choice] = listedFields(event['choices'])
    let written = this.#begin(event)
    if (choice === undefined) return written
    this.#finish = choice['finish_reason'] ?? this.#finish
    const delta = fieldsOf(choice['delta'] ?? choice['message'])
    const { thoughts, text: words, refusal } = wordsOf(delta)
    written += this.#add('reasoning', {}, thoughts)
    written += this.#add('text', {}, words)
    written += this.#add('refusal', {}, refusal)
    for (const [place, call] of listedFields(delta['tool_calls']).entries()) {
      const { index = place, function: named, custom } = call
      const { arguments: text, input } = fieldsOf(named ?? custom)
      written += this.#add(`call ${String(index)}`, call, text ?? input ?? '')
    }
    return written
  }

  #begin({ id, model, created }: Fields): string {
    if (this.#head !== null) return ''
    const head = responseHead(this.#request, { id, model: model ?? this.#modelId, created })
    this.#head = head
    return (
      this.#event('response.created', { response: head }) +
      this.#event('response.in_progress', { response: head })
    )
  }

  /** Adds words to an item, which begins with its first words, or a call without any. */
  #add(kind: string, call: Fields, words: unknown): string {
    const isCall = kind.startsWith('call')
    if (typeof words !== 'string' || (words === '' && !isCall)) return ''
    let item = this.#items.get(kind)
    let written = ''
    if (item === undefined) {
      const id = plainId(String(this.#head?.['id']).slice('resp_'.length))
      written = this.#close()
      item = new OpenItem({ request: this.#request, kind, call, index: this.#items.size, id })
      this.#items.set(kind, item)
      this.#open = item
      written += this.#events(item.begin())
    }
    return words === '' ? written : written + this.#events(item.add(words))
  }

  #close(): string {
    const closed = this.#open === null ? '' : this.#events(this.#open.end())
    this.#open = null
    return closed
  }

  #events(events: readonly (readonly [string, Fields])[]): string {
    return events.map(([type, fields]) => this.#event(type, fields)).join('')
  }

  #event(type: string, fields: Fields): string {
    this.#sequence += 1
    return namedEvent(type, { ...fields, sequence_number: this.#sequence - 1 })
  }
}

/** The end of a stream with an error. `head`: the begun response, if any. */
export function failedResponse(error: AppError, head: Fields | null, sequence: number): string {
  const response = { object: 'response', output: [], ...head }
  // OpenAI's client rejects a stream that does not begin with this event.
  const begun =
    head === null
      ? namedEvent('response.created', {
          response: { ...response, status: 'in_progress' },
          sequence_number: 0,
        })
      : ''
  const failed = namedEvent('response.failed', {
    response: {
      ...response,
      status: 'failed',
      error: { code: wireError(error).code, message: messageWithFix(error) },
    },
    sequence_number: head === null ? 1 : sequence,
  })
  return begun + failed
}
