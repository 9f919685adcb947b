import { fieldsOf, listedFields, parseFields, type Fields } from '../../../lib/json-fields.ts'
import { partsOf, type FilledPart } from '../answer-assembler.ts'
import type { AnswerFacts } from '../caller-format.ts'
import { markThoughts } from '../thoughts.ts'
import type { MessageTools } from './message-tools.ts'
import { messageUsage } from './message-usage.ts'

export type BlockFacts = {
  readonly tools: MessageTools
  /** The caller's name for the model. */
  readonly modelId: string
}

/** Converts a whole chat completion to a message. */
export function messageOfCompletion(
  tools: MessageTools,
  { id, model, choices }: Fields,
  { bill, modelId, isTest }: AnswerFacts,
): Fields {
  const [choice = {}] = listedFields(choices)
  const parts = partsOf(fieldsOf(choice['message'] ?? choice['delta']))
  return {
    ...messageHead(id, model ?? modelId),
    content: parts.map((part) => blockOf({ tools, modelId }, part)),
    stop_reason: stopReasonOf(
      choice['finish_reason'],
      parts.some(({ kind }) => kind === 'call'),
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

export function blockOf(
  { tools, modelId }: BlockFacts,
  { kind, id, name, text }: FilledPart,
): Fields {
  switch (kind) {
    case 'thoughts':
      return { type: 'thinking', thinking: text, signature: markThoughts(modelId) }
    case 'call':
      return { type: 'tool_use', id, name: tools.nameOf(name), input: parseFields(text) ?? {} }
    default:
      return { type: 'text', text }
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
