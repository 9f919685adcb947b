import { fieldsOf, listedFields, type Fields } from '../../../lib/json-fields.ts'
import { partsOf, type FilledPart, type PartKind } from '../answer-assembler.ts'
import type { AnswerFacts } from '../caller-format.ts'
import { markThoughts } from '../thoughts.ts'
import { ResponseTools } from './response-tools.ts'
import { responseUsage } from './response-usage.ts'

export type ItemFacts = {
  readonly tools: ResponseTools
  /** The caller's name for the model. */
  readonly modelId: string
}

/** Converts a whole chat completion to a response. `request`: the caller's body. */
export function responseOfCompletion(
  request: Fields,
  { id, model, created, choices }: Fields,
  { bill, modelId, isTest }: AnswerFacts,
): Fields {
  const [choice = {}] = listedFields(choices)
  const head = responseHead(request, { id, model: model ?? modelId, created })
  const message = fieldsOf(choice['message'] ?? choice['delta'])
  const facts = { tools: new ResponseTools(request), modelId }
  const output = partsOf(message).map((part, index) =>
    itemOf(facts, part, `${plainId(id)}_${index}`),
  )
  return {
    ...head,
    ...finishOf(choice['finish_reason']),
    output,
    usage: responseUsage(bill),
    ...(isTest ? { test: true } : {}),
  }
}

/** The fields of a response before its output, as clients expect them. */
export function responseHead(request: Fields, { id, model, created }: Fields): Fields {
  const { instructions = null, metadata = {}, tools = [], reasoning, text } = request
  return {
    id: `resp_${plainId(id)}`,
    object: 'response',
    created_at: typeof created === 'number' ? created : 0,
    status: 'in_progress',
    background: false,
    error: null,
    incomplete_details: null,
    instructions,
    max_output_tokens: request['max_output_tokens'] ?? null,
    model,
    output: [],
    parallel_tool_calls: request['parallel_tool_calls'] ?? true,
    previous_response_id: null,
    reasoning: { effort: null, summary: null, ...fieldsOf(reasoning) },
    store: false,
    temperature: request['temperature'] ?? null,
    text: { format: { type: 'text' }, ...fieldsOf(text) },
    tool_choice: request['tool_choice'] ?? 'auto',
    tools,
    top_p: request['top_p'] ?? null,
    truncation: request['truncation'] ?? 'disabled',
    usage: null,
    metadata,
  }
}

/** The status of a response with this finish reason. */
export function finishOf(reason: unknown): Fields {
  if (reason === 'length')
    return { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }
  return reason === 'content_filter'
    ? { status: 'incomplete', incomplete_details: { reason: 'content_filter' } }
    : { status: 'completed' }
}

/** The part of an id that fits into others. */
export function plainId(id: unknown): string {
  return typeof id === 'string' ? id.replaceAll(/[^\w-]/g, '') : 'unnamed'
}

/** `id`: the part of the item's id after its prefix. */
export function itemOf({ tools, modelId }: ItemFacts, part: FilledPart, id: string): Fields {
  const { kind, text } = part
  switch (kind) {
    case 'thoughts':
      return reasoningItem(`rs_${id}`, text, modelId)
    case 'call':
      return tools.itemOf(part, id)
    default:
      return messageItem(`msg_${id}`, [contentPart(kind, text)])
  }
}

export function contentPart(kind: PartKind, text: string): Fields {
  return kind === 'refusal' ? { type: 'refusal', refusal: text } : textPart(text)
}

function textPart(text: string): Fields {
  return { type: 'output_text', text, annotations: [], logprobs: [] }
}

function reasoningItem(id: string, text: string, modelId: string): Fields {
  return {
    id,
    type: 'reasoning',
    summary: [{ type: 'summary_text', text }],
    encrypted_content: markThoughts(modelId),
  }
}

function messageItem(id: string, content: readonly Fields[]): Fields {
  return { id, type: 'message', status: 'completed', role: 'assistant', content }
}
