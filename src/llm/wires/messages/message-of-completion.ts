import { fieldsOf, listedFields, parseFields, type Fields } from '../../../lib/json-fields.ts'
import { wordsOf } from '../../stream/message-words.ts'
import type { AnswerFacts } from '../caller-format.ts'
import { messageUsage } from './message-usage.ts'

/** Converts a whole chat completion to a message. */
export function messageOfCompletion(
  { id, model, choices }: Fields,
  { bill, modelId, isTest }: AnswerFacts,
): Fields {
  const [choice = {}] = listedFields(choices)
  const message = fieldsOf(choice['message'] ?? choice['delta'])
  return {
    ...messageHead(id, model ?? modelId),
    content: blocksOf(message),
    stop_reason: stopReasonOf(
      choice['finish_reason'],
      listedFields(message['tool_calls']).length > 0,
    ),
    stop_sequence: null,
    usage: messageUsage(bill),
    ...(isTest ? { test: true } : {}),
  }
}

/** The fields of a message before its content. */
export function messageHead(id: unknown, model: unknown): Fields {
  return {
    id: `msg_${typeof id === 'string' ? id.replaceAll(/[^\w-]/g, '') : 'unnamed'}`,
    type: 'message',
    role: 'assistant',
    model,
  }
}

function blocksOf(message: Fields): Fields[] {
  const { thoughts: thinking, text, refusal } = wordsOf(message)
  return [
    ...(thinking === '' ? [] : [{ type: 'thinking', thinking, signature: '' }]),
    ...[text, refusal].filter((one) => one !== '').map((one) => ({ type: 'text', text: one })),
    ...listedFields(message['tool_calls']).map(toolUse),
  ]
}

function toolUse(call: Fields): Fields {
  const { name, arguments: text } = fieldsOf(call['function'])
  return {
    type: 'tool_use',
    id: call['id'],
    name,
    input: typeof text === 'string' ? (parseFields(text) ?? {}) : fieldsOf(text),
  }
}

/** The stop reason for a finish reason of chat completions. Some upstreams end tool calls with "stop". */
export function stopReasonOf(reason: unknown, hasCalls: boolean): string {
  switch (reason) {
    case 'length':
      return 'max_tokens'
    case 'content_filter':
      return 'refusal'
    default:
      return hasCalls ? 'tool_use' : 'end_turn'
  }
}
