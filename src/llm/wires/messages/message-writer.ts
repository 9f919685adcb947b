/** Writes the events of the Messages API. */
import type { AppError } from '../../../errors/app-error.ts'
import { fieldsOf, listedFields, parseFields, type Fields } from '../../../lib/json-fields.ts'
import type { EventReader } from '../../stream/event-reader.ts'
import { wordsOf } from '../../stream/message-words.ts'
import { dataOf, endOfEvent } from '../../stream/read-event.ts'
import type { AnswerFacts, StreamWriter } from '../caller-format.ts'
import { namedEvent } from '../write-event.ts'
import { messageHead, stopReasonOf } from './message-of-completion.ts'
import { messagesError } from './messages-error.ts'
import { messageUsage } from './message-usage.ts'

const UNUSED = {
  input_tokens: 0,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  output_tokens: 0,
}
export const PING = namedEvent('ping', {})

export function messagesFailureEvent(error: AppError): string {
  return namedEvent('error', messagesError(error))
}

/** Converts the events of a chat stream. Each text, thought and tool call becomes a block. */
export class MessageWriter implements StreamWriter {
  readonly #modelId: string
  #isBegun = false
  #finish: unknown = null
  #hasCalls = false
  #blocks = 0
  /** The kind and the index of the block that receives words; null before the first. */
  #open: { readonly kind: string; readonly index: number } | null = null
  readonly #indexOf = new Map<string, number>()

  constructor(modelId: string) {
    this.#modelId = modelId
  }

  pass(events: Buffer): Buffer | null {
    let written = ''
    for (let start = 0; start < events.length;) {
      const end = endOfEvent(events, start)
      const data = dataOf(events.subarray(start, end))
      const event = data === null ? null : parseFields(data)
      if (event !== null) written += this.#convert(event)
      else if (this.#isBegun && data === null) written += PING
      start = end
    }
    return written === '' ? null : Buffer.from(written)
  }

  end(_reader: EventReader, { bill }: AnswerFacts, failure: AppError | null): string {
    if (failure !== null) return this.fail(failure)
    return `${this.#begin({})}${this.#close()}${lastEvents(stopReasonOf(this.#finish, this.#hasCalls), messageUsage(bill))}`
  }

  fail(error: AppError): string {
    return messagesFailureEvent(error)
  }

  #convert(event: Fields): string {
    const [choice] = listedFields(event['choices'])
    let written = this.#begin(event)
    if (choice === undefined) return written
    this.#finish = choice['finish_reason'] ?? this.#finish
    const delta = fieldsOf(choice['delta'] ?? choice['message'])
    const { thoughts, text, refusal } = wordsOf(delta)
    written += this.#words('thinking', { type: 'thinking_delta' }, thoughts)
    written += this.#words('text', { type: 'text_delta' }, text)
    written += this.#words('text', { type: 'text_delta' }, refusal)
    for (const [place, call] of listedFields(delta['tool_calls']).entries())
      written += this.#toolCall(call, place)
    return written
  }

  #begin({ id, model }: Fields): string {
    if (this.#isBegun) return ''
    this.#isBegun = true
    return namedEvent('message_start', {
      message: {
        ...messageHead(id, model ?? this.#modelId),
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: UNUSED,
      },
    })
  }

  #words(kind: 'text' | 'thinking', delta: Fields, words: string): string {
    if (words === '') return ''
    const block =
      kind === 'text' ? { type: kind, text: '' } : { type: kind, thinking: '', signature: '' }
    return `${this.#openBlock(kind, block)}${this.#delta({ ...delta, [kind]: words })}`
  }

  #toolCall(call: Fields, place: number): string {
    const kind = `tool ${typeof call['index'] === 'number' ? call['index'] : place}`
    const { name, arguments: input } = fieldsOf(call['function'])
    this.#hasCalls = true
    const known = this.#indexOf.get(kind)
    const opened =
      known === undefined
        ? this.#openBlock(kind, { type: 'tool_use', id: call['id'], name, input: {} })
        : ''
    if (typeof input !== 'string' || input === '') return opened
    const index = this.#indexOf.get(kind)
    return `${opened}${namedEvent('content_block_delta', { index, delta: { type: 'input_json_delta', partial_json: input } })}`
  }

  #openBlock(kind: string, block: Fields): string {
    if (this.#open?.kind === kind) return ''
    const closed = this.#close()
    const index = this.#blocks
    this.#blocks += 1
    this.#open = { kind, index }
    this.#indexOf.set(kind, index)
    return `${closed}${namedEvent('content_block_start', { index, content_block: block })}`
  }

  #delta(delta: Fields): string {
    return namedEvent('content_block_delta', { index: this.#open?.index, delta })
  }

  #close(): string {
    if (this.#open === null) return ''
    const { index } = this.#open
    this.#open = null
    return namedEvent('content_block_stop', { index })
  }
}

function lastEvents(stopReason: unknown, usage: unknown, stopSequence: unknown = null): string {
  const delta = { stop_reason: stopReason, stop_sequence: stopSequence }
  return namedEvent('message_delta', { delta, usage }) + namedEvent('message_stop', {})
}

/** Converts a whole message to events. */
export function eventsOfMessage(message: Fields): string {
  const { content, stop_reason: reason, stop_sequence: sequence, usage } = message
  const start = namedEvent('message_start', {
    message: {
      ...message,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { ...fieldsOf(usage), output_tokens: 0 },
    },
  })
  const blocks = listedFields(content).map(
    (block, index) =>
      namedEvent('content_block_start', { index, content_block: emptied(block) }) +
      deltasOf(block)
        .map((delta) => namedEvent('content_block_delta', { index, delta }))
        .join('') +
      namedEvent('content_block_stop', { index }),
  )
  return `${start}${blocks.join('')}${lastEvents(reason, usage, sequence)}`
}

function emptied(block: Fields): Fields {
  switch (block['type']) {
    case 'text':
      return { ...block, text: '' }
    case 'thinking':
      return { ...block, thinking: '', signature: '' }
    case 'tool_use':
      return { ...block, input: {} }
    default:
      return block
  }
}

function deltasOf({ type, text, thinking, signature, input }: Fields): Fields[] {
  switch (type) {
    case 'text':
      return [{ type: 'text_delta', text }]
    case 'thinking':
      return [
        { type: 'thinking_delta', thinking },
        { type: 'signature_delta', signature },
      ]
    case 'tool_use':
      return [{ type: 'input_json_delta', partial_json: JSON.stringify(input ?? {}) }]
    default:
      return []
  }
}
