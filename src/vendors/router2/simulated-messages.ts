/** The same answers in the format of the Messages API. */
import { fieldsOf, type Fields } from '../../lib/json-fields.ts'
import { shortHash } from '../../simulators/content.ts'
import { listOf, type ModelFault } from '../../simulators/model-content.ts'
import type { SimulatedReply } from '../../simulators/vendor.ts'
import { paceOf, type Said } from './simulated-completion.ts'

/** The chat-completions body with the same question. */
export function chatOfMessages({
  model,
  messages,
  system,
  max_tokens,
  stream,
  tools,
  tool_choice: choice,
}: Fields): Fields {
  const { type, name } = fieldsOf(choice)
  return {
    model,
    max_tokens,
    stream,
    messages: [
      ...(system === undefined ? [] : [{ role: 'system', content: system }]),
      ...listOf(messages).map((message) =>
        listOf(message['content']).some((block) => block['type'] === 'tool_result')
          ? { role: 'tool', content: '' }
          : message,
      ),
    ],
    ...(tools === undefined
      ? {}
      : {
          tools: listOf(tools).map(({ name: tool, description, input_schema: parameters }) => ({
            type: 'function',
            function: {
              name: tool,
              ...(description === undefined ? {} : { description }),
              parameters,
            },
          })),
        }),
    ...(type === 'none' ? { tool_choice: 'none' } : {}),
    ...(type === 'tool' ? { tool_choice: { function: { name } } } : {}),
  }
}

export function messageReply(
  base: Fields,
  said: Said,
  usage: Fields | null,
  { isStream, faults }: { readonly isStream: boolean; readonly faults: readonly ModelFault[] },
): SimulatedReply {
  const failure = {
    type: 'error',
    error: { type: 'api_error', message: 'Simulated failure of the provider.' },
  }
  const counts = {
    input_tokens: usage?.['prompt_tokens'],
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: usage?.['completion_tokens'],
    ...(usage === null ? {} : { cost: usage['cost'] }),
  }
  const message = {
    id: `msg_${String(base['id'])}`,
    type: 'message',
    role: 'assistant',
    model: base['model'],
    content: [blockOf(said)],
    stop_reason: stopReasonOf(said.finish),
    stop_sequence: null,
    ...(usage === null ? {} : { usage: counts }),
    simulated: true,
  }
  const breaks = faults.find((fault) => fault.name === 'error')
  if (!isStream)
    return breaks === undefined
      ? {
          status: 200,
          contentType: 'application/json',
          pieces: [JSON.stringify(message)],
          ...paceOf(faults),
        }
      : { status: 200, json: failure }
  const words = said.pieces.map((piece) =>
    event('content_block_delta', { index: 0, delta: deltaOf(said, piece) }),
  )
  const start = event('message_start', {
    message: { ...message, content: [], stop_reason: null, usage: { ...counts, output_tokens: 1 } },
  })
  const block = event('content_block_start', { index: 0, content_block: emptyBlock(said) })
  const pieces =
    breaks !== undefined && 'at' in breaks
      ? [start, block, ...words].slice(0, breaks.at).concat(event('error', failure))
      : [
          start,
          block,
          event('ping', {}),
          ...words,
          event('content_block_stop', { index: 0 }),
          ...(faults.some(({ name }) => name === 'nofinish')
            ? []
            : [
                event('message_delta', {
                  delta: { stop_reason: message.stop_reason, stop_sequence: null },
                  ...(usage === null ? {} : { usage: counts }),
                }),
                event('message_stop', {}),
              ]),
        ]
  return { status: 200, contentType: 'text/event-stream', pieces, ...paceOf(faults) }
}

function event(type: string, fields: Fields): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`
}

function emptyBlock({ tool, pieces }: Said): Fields {
  return tool === null
    ? { type: 'text', text: '' }
    : { type: 'tool_use', id: `toolu_${shortHash(pieces.join(''))}`, name: tool, input: {} }
}

function blockOf(said: Said): Fields {
  const text = said.pieces.join('')
  return said.tool === null
    ? { type: 'text', text }
    : { ...emptyBlock(said), input: JSON.parse(text) as unknown }
}

function deltaOf({ tool }: Said, piece: string): Fields {
  return tool === null
    ? { type: 'text_delta', text: piece }
    : { type: 'input_json_delta', partial_json: piece }
}

function stopReasonOf(finish: string): string {
  if (finish === 'length') return 'max_tokens'
  return finish === 'tool_calls' ? 'tool_use' : 'end_turn'
}
