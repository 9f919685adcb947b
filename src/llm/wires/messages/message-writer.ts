/** Writes the events of the Messages API. */
import type { AppError } from '../../../errors/app-error.ts'
import {
  fieldsOf,
  isFields,
  listedFields,
  parseFields,
  type Fields,
} from '../../../lib/json-fields.ts'
import type { EventReader } from '../../stream/event-reader.ts'
import { dataOf, endOfEvent } from '../../stream/read-event.ts'
import { AnswerAssembler, type PartKind, type PartStep } from '../answer-assembler.ts'
import type { AnswerFacts, StreamWriter } from '../caller-format.ts'
import { markThoughts } from '../thoughts.ts'
import { namedEvent } from '../write-event.ts'
import { blockOf, messageHead, stopReasonOf, type BlockFacts } from './message-of-completion.ts'
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
  readonly #facts: BlockFacts
  #isBegun = false
  #finish: unknown = null
  readonly #answer = new AnswerAssembler()
  /** The index of the block that is open or begins next. */
  #index = 0

  constructor(facts: BlockFacts) {
    this.#facts = facts
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
    const rest = this.#write(this.#answer.end())
    const reason = stopReasonOf(this.#finish, this.#answer.hasCalls)
    return `${this.#begin({})}${rest}${lastEvents(reason, messageUsage(bill))}`
  }

  fail(error: AppError): string {
    return messagesFailureEvent(error)
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

  #begin({ id, model }: Fields): string {
    if (this.#isBegun) return ''
    this.#isBegun = true
    return namedEvent('message_start', {
      message: {
        ...messageHead(id, model ?? this.#facts.modelId),
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: UNUSED,
      },
    })
  }

  #write(steps: readonly PartStep[]): string {
    return steps.map((step) => this.#eventOf(step)).join('')
  }

  #eventOf({ type, part, words }: PartStep): string {
    const index = this.#index
    switch (type) {
      case 'start': {
        const block = emptied(blockOf(this.#facts, { ...part, text: '' }))
        return namedEvent('content_block_start', { index, content_block: block })
      }
      case 'words':
        return namedEvent('content_block_delta', { index, delta: deltaOf(part.kind, words) })
      case 'stop': {
        this.#index += 1
        const signature = markThoughts(this.#facts.modelId)
        const signed =
          part.kind === 'thoughts'
            ? namedEvent('content_block_delta', {
                index,
                delta: { type: 'signature_delta', signature },
              })
            : ''
        return `${signed}${namedEvent('content_block_stop', { index })}`
      }
    }
  }
}

function deltaOf(kind: PartKind, words: string): Fields {
  switch (kind) {
    case 'thoughts':
      return { type: 'thinking_delta', thinking: words }
    case 'call':
      return { type: 'input_json_delta', partial_json: words }
    default:
      return { type: 'text_delta', text: words }
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
