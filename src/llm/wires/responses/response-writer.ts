/** Converts the events of a chat stream to those of the Responses API. Each text, thought and tool call becomes an item. */
import type { AppError } from '../../../errors/app-error.ts'
import { wireError } from '../../ask/wire-error.ts'
import {
  fieldsOf,
  isFields,
  listedFields,
  parseFields,
  type Fields,
} from '../../../lib/json-fields.ts'
import type { EventReader } from '../../stream/event-reader.ts'
import { dataOf, endOfEvent } from '../../stream/read-event.ts'
import { AnswerAssembler, type PartStep } from '../answer-assembler.ts'
import type { AnswerFacts, StreamWriter } from '../caller-format.ts'
import { namedEvent } from '../write-event.ts'
import { messageWithFix } from '../messages/messages-error.ts'
import { finishOf, plainId, responseHead, type ItemFacts } from './response-of-completion.ts'
import { OpenItem, type NamedFields } from './response-items.ts'
import { ResponseTools } from './response-tools.ts'
import { responseUsage } from './response-usage.ts'

export class ResponseWriter implements StreamWriter {
  readonly #request: Fields
  readonly #facts: ItemFacts
  #head: Fields | null = null
  #finish: unknown = null
  #sequence = 0
  readonly #answer = new AnswerAssembler()
  /** The last one is open until its part ends. */
  readonly #items: OpenItem[] = []

  constructor(request: Fields, modelId: string) {
    this.#request = request
    this.#facts = { tools: new ResponseTools(request), modelId }
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

  /** The events of a whole completion. */
  writeWhole(completion: Fields, facts: AnswerFacts): string {
    return `${this.#convert(completion)}${this.#end(facts)}`
  }

  end(_reader: EventReader, facts: AnswerFacts, failure: AppError | null): string {
    return failure === null ? this.#end(facts) : this.fail(failure)
  }

  #end({ bill, isTest }: AnswerFacts): string {
    const begun = this.#begin({})
    const rest = this.#write(this.#answer.end())
    const finish = finishOf(this.#finish)
    const response = {
      ...this.#head,
      ...finish,
      output: this.#items.map(({ whole }) => whole),
      usage: responseUsage(bill),
      ...(isTest ? { test: true } : {}),
    }
    return `${begun}${rest}${this.#event(`response.${String(finish['status'])}`, { response })}`
  }

  fail(error: AppError): string {
    return failedResponse(error, this.#head, this.#sequence)
  }

  #convert(event: Fields): string {
    const [choice] = listedFields(event['choices'])
    const begun = this.#begin(event)
    if (choice === undefined) return begun
    const { delta, message, finish_reason: finish } = choice
    this.#finish = finish ?? this.#finish
    const steps =
      isFields(message) && !isFields(delta)
        ? this.#answer.addWhole(message)
        : this.#answer.add(fieldsOf(delta))
    return `${begun}${this.#write(steps)}`
  }

  #begin({ id, model, created }: Fields): string {
    if (this.#head !== null) return ''
    const head = responseHead(this.#request, { id, model: model ?? this.#facts.modelId, created })
    this.#head = head
    return (
      this.#event('response.created', { response: head }) +
      this.#event('response.in_progress', { response: head })
    )
  }

  #write(steps: readonly PartStep[]): string {
    return steps.map((step) => this.#events(this.#eventsOf(step))).join('')
  }

  #eventsOf({ type, part, words }: PartStep): readonly NamedFields[] {
    if (type === 'start') {
      const id = plainId(String(this.#head?.['id']).slice('resp_'.length))
      const item = new OpenItem({ ...this.#facts, part, index: this.#items.length, id })
      this.#items.push(item)
      return item.begin()
    }
    const item = this.#items.at(-1)
    return (type === 'words' ? item?.add(words) : item?.end()) ?? []
  }

  #events(events: readonly NamedFields[]): string {
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
