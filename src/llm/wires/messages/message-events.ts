/** The Messages API of upstreams that speak it. */
import { fieldsOf, listedFields, parseFields, type Fields } from '../../../lib/json-fields.ts'
import { readInBandError, type UpstreamError } from '../../ask/upstream-error.ts'
import { Delivered } from '../../stream/delivered.ts'
import { NativeReader, type EventCodec } from '../native-reader.ts'
import type { UpstreamWire } from '../wire.ts'
import { readMessageUsage } from './message-usage.ts'

const EVENTS: EventCodec = {
  matters: /"type"\s*:\s*"(?:message_start|message_delta|message_stop|error)"/,
  idOf: ({ message }) => fieldsOf(message)['id'],
  errorOf: readError,
  usageIn({ type, message, usage }) {
    if (type === 'message_start') return fieldsOf(fieldsOf(message)['usage'])
    return type === 'message_delta' ? fieldsOf(usage) : null
  },
  readUsage: readMessageUsage,
  isFinish: ({ type, delta }) =>
    type === 'message_delta' && typeof fieldsOf(delta)['stop_reason'] === 'string',
  isLast: ({ type }) => type === 'message_stop',
}

export const messagesWire: UpstreamWire = {
  name: 'messages',
  path: '/messages',
  createReader: () => new NativeReader(EVENTS),
  createDelivered: () => new Delivered(choicesOfEvent),
  readWhole: parseFields,
  errorOf: readError,
  isAnswered: ({ type, content }) => type === 'message' && Array.isArray(content),
  choicesOf: choicesOfMessage,
  usageOf: ({ usage }) => readMessageUsage(usage),
}

function readError({ type, error }: Fields): UpstreamError | null {
  if (type !== 'error' && error == null) return null
  return readInBandError(error)
}

/** The words of an event as choices of chat completions. */
function choicesOfEvent(event: Fields): unknown {
  const { type, index, content_block: block, delta } = event
  switch (type) {
    case 'message_start':
      return [{ index: 0, delta: {} }]
    case 'content_block_start':
      return [{ index: 0, delta: deltaOfBlock(fieldsOf(block), index) }]
    case 'content_block_delta': {
      const { text, thinking, partial_json: input } = fieldsOf(delta)
      return [
        {
          index: 0,
          delta: {
            content: text,
            reasoning: thinking,
            tool_calls: [{ index, function: { arguments: input } }],
          },
        },
      ]
    }
    case 'message_delta':
      return [{ index: 0, delta: {}, finish_reason: fieldsOf(delta)['stop_reason'] }]
    default:
      return []
  }
}

/** The words of a whole message as choices of chat completions. */
function choicesOfMessage({ content, stop_reason: reason }: Fields): unknown {
  return listedFields(content).map((block, index) => ({
    index: 0,
    message: deltaOfBlock(block, index),
    finish_reason: reason,
  }))
}

function deltaOfBlock({ text, thinking, name, input }: Fields, index: unknown): Fields {
  const isFilled = input !== undefined && Object.keys(fieldsOf(input)).length > 0
  return {
    content: text,
    reasoning: thinking,
    tool_calls: [
      { index, function: { name, arguments: isFilled ? JSON.stringify(input) : undefined } },
    ],
  }
}
