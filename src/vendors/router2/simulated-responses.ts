/** The same answers in the format of the Responses API. */
import { fieldsOf, type Fields } from '../../lib/json-fields.ts'
import { shortHash } from '../../simulators/content.ts'
import { listOf, type ModelFault } from '../../simulators/model-content.ts'
import type { SimulatedReply } from '../../simulators/vendor.ts'
import { paceOf, type Said } from './simulated-completion.ts'

/** The chat-completions body with the same question. */
export function chatOfResponses({
  model,
  input,
  instructions,
  max_output_tokens: limit,
  stream,
  tools,
  tool_choice: choice,
  text,
}: Fields): Fields {
  const { type, name } = fieldsOf(choice)
  const { type: kind, ...format } = fieldsOf(fieldsOf(text)['format'])
  return {
    model,
    max_tokens: limit,
    stream,
    messages: [
      ...(typeof instructions === 'string' ? [{ role: 'system', content: instructions }] : []),
      ...(typeof input === 'string'
        ? [{ role: 'user', content: input }]
        : listOf(input).map((item) =>
            item['type'] === 'function_call_output' ? { role: 'tool', content: '' } : item,
          )),
    ],
    ...(tools === undefined
      ? {}
      : {
          tools: listOf(tools).map(({ name: tool, description, parameters }) => ({
            type: 'function',
            function: {
              name: tool,
              ...(description === undefined ? {} : { description }),
              parameters,
            },
          })),
        }),
    ...(choice === 'none' ? { tool_choice: 'none' } : {}),
    ...(type === 'function' ? { tool_choice: { function: { name } } } : {}),
    ...(kind === 'json_schema'
      ? { response_format: { type: kind, json_schema: format } }
      : kind === 'json_object'
        ? { response_format: { type: kind } }
        : {}),
  }
}

export function responseReply(
  base: Fields,
  said: Said,
  usage: Fields | null,
  { isStream, faults }: { readonly isStream: boolean; readonly faults: readonly ModelFault[] },
): SimulatedReply {
  const isCut = said.finish === 'length'
  const head = {
    id: `resp_${String(base['id'])}`,
    object: 'response',
    created_at: base['created'],
    status: 'in_progress',
    error: null,
    incomplete_details: null,
    model: base['model'],
    output: [],
    parallel_tool_calls: true,
    store: false,
    tool_choice: 'auto',
    tools: [],
    simulated: true,
  }
  const whole = {
    ...head,
    status: isCut ? 'incomplete' : 'completed',
    incomplete_details: isCut ? { reason: 'max_output_tokens' } : null,
    output: [itemOf(said, 'completed')],
    ...(usage === null ? {} : { usage: countsOf(usage) }),
  }
  const failed = {
    ...head,
    status: 'failed',
    error: { code: 'server_error', message: 'Simulated failure of the provider.' },
  }
  const breaks = faults.find((fault) => fault.name === 'error')
  if (!isStream)
    return breaks === undefined
      ? {
          status: 200,
          contentType: 'application/json',
          pieces: [JSON.stringify(whole)],
          ...paceOf(faults),
        }
      : { status: 200, json: failed }
  const begun = [
    ['response.created', { response: head }],
    ['response.in_progress', { response: head }],
    [
      'response.output_item.added',
      { output_index: 0, item: itemOf({ ...said, pieces: [] }, 'in_progress') },
    ],
    ...wordsOf(said),
  ] as [string, Fields][]
  const events: [string, Fields][] =
    breaks !== undefined && 'at' in breaks
      ? [...begun.slice(0, breaks.at), ['response.failed', { response: failed }]]
      : [
          ...begun,
          ['response.output_item.done', { output_index: 0, item: itemOf(said, 'completed') }],
          ...(faults.some(({ name }) => name === 'nofinish')
            ? []
            : [[`response.${whole.status}`, { response: whole }] as [string, Fields]]),
        ]
  const pieces = events.map(([type, fields], sequence_number) => {
    const data = JSON.stringify({ type, ...fields, sequence_number })
    return `event: ${type}\ndata: ${data}\n\n`
  })
  return { status: 200, contentType: 'text/event-stream', pieces, ...paceOf(faults) }
}

function countsOf(usage: Fields): Fields {
  return {
    input_tokens: usage['prompt_tokens'],
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: usage['completion_tokens'],
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: usage['total_tokens'],
    cost: usage['cost'],
  }
}

function itemOf({ pieces, tool }: Said, status: string): Fields {
  const text = pieces.join('')
  return tool === null
    ? {
        id: 'msg_simulated',
        type: 'message',
        status,
        role: 'assistant',
        content: pieces.length === 0 ? [] : [{ type: 'output_text', text, annotations: [] }],
      }
    : {
        id: 'fc_simulated',
        type: 'function_call',
        status,
        call_id: `call_${shortHash(tool)}`,
        name: tool,
        arguments: text,
      }
}

function wordsOf({ pieces, tool }: Said): [string, Fields][] {
  const text = pieces.join('')
  const place = { item_id: tool === null ? 'msg_simulated' : 'fc_simulated', output_index: 0 }
  if (tool !== null)
    return [
      ...pieces.map((delta): [string, Fields] => [
        'response.function_call_arguments.delta',
        { ...place, delta },
      ]),
      ['response.function_call_arguments.done', { ...place, arguments: text }],
    ]
  const part = { ...place, content_index: 0 }
  return [
    [
      'response.content_part.added',
      { ...part, part: { type: 'output_text', text: '', annotations: [] } },
    ],
    ...pieces.map((delta): [string, Fields] => ['response.output_text.delta', { ...part, delta }]),
    ['response.output_text.done', { ...part, text }],
    [
      'response.content_part.done',
      { ...part, part: { type: 'output_text', text, annotations: [] } },
    ],
  ]
}
