import { fieldsOf, listedFields, parseFields, type Fields } from '../../../lib/json-fields.ts'
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
    stop_reason: stopReasonOf(choice['finish_reason']),
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

function blocksOf({
  content,
  reasoning,
  reasoning_content: thoughts,
  refusal,
  tool_calls: calls,
}: Fields): Fields[] {
  const thinking = reasoning || thoughts
  const texts = [...textsIn(content), ...textsIn(refusal)]
  return [
    ...(typeof thinking === 'string' ? [{ type: 'thinking', thinking, signature: '' }] : []),
    ...texts.map((text) => ({ type: 'text', text })),
    ...listedFields(calls).map(toolUse),
  ]
}

function textsIn(content: unknown): string[] {
  const texts =
    typeof content === 'string' ? [content] : listedFields(content).map(({ text }) => text)
  return texts.filter((text) => typeof text === 'string').filter((text) => text !== '')
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

/** The stop reason for a finish reason of chat completions. */
export function stopReasonOf(reason: unknown): string {
  switch (reason) {
    case 'length':
      return 'max_tokens'
    case 'tool_calls':
    case 'function_call':
      return 'tool_use'
    case 'content_filter':
      return 'refusal'
    default:
      return 'end_turn'
  }
}
