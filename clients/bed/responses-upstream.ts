/** The Responses API of the simulated upstream. */
import { replyTo, wordsOf, type Reply } from './script.ts'
import { fields, list, sendJson, writeEndless, type Asked, type Fields } from './wire.ts'

export async function answerResponses(asked: Asked): Promise<void> {
  const { body } = asked
  const choice = fields(body['tool_choice'])
  const reply = replyTo(JSON.stringify(body['input']), {
    hasToolResult: list(body['input']).some((one) =>
      String(fields(one)['type']).endsWith('_output'),
    ),
    forced: choice['type'] === 'function' ? String(choice['name']) : null,
  })
  if (reply.kind === 'text') asked.bill.completionTokens = wordsOf(reply.text).length
  if (reply.kind === 'call') asked.bill.completionTokens = 7
  if (body['stream'] === true) await stream(asked, reply)
  else sendJson(asked.response, 200, completed(asked, item(reply)))
}

function item(reply: Reply): Fields {
  if (reply.kind === 'call')
    return {
      type: 'function_call',
      id: 'fc_1',
      call_id: 'call_1',
      name: reply.name,
      arguments: reply.input,
      status: 'completed',
    }
  const text = reply.kind === 'text' ? reply.text : ''
  return {
    type: 'message',
    id: 'msg_1',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text, annotations: [] }],
  }
}

const started = ({ body, bill }: Asked): Fields => ({
  id: bill.id,
  object: 'response',
  created_at: 1,
  status: 'in_progress',
  model: body['model'],
  output: [],
  error: null,
  incomplete_details: null,
  instructions: null,
  metadata: {},
  parallel_tool_calls: true,
  temperature: 1,
  tool_choice: 'auto',
  tools: [],
  top_p: 1,
  usage: null,
})

const completed = (asked: Asked, output: Fields): Fields => ({
  ...started(asked),
  status: 'completed',
  output: [output],
  usage: {
    input_tokens: asked.bill.promptTokens,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: asked.bill.completionTokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: asked.bill.promptTokens + asked.bill.completionTokens,
  },
})

async function stream(asked: Asked, reply: Reply): Promise<void> {
  const { response } = asked
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  let sequence_number = 0
  const send = (type: string, more: Fields): void => {
    const event = { type, sequence_number: sequence_number++, ...more }
    response.write(`event: ${type}\ndata: ${JSON.stringify(event)}\n\n`)
  }
  send('response.created', { response: started(asked) })
  send('response.in_progress', { response: started(asked) })
  const last =
    reply.kind === 'call' ? streamCall(reply, send) : await streamText(asked, reply, send)
  send('response.output_item.done', { output_index: 0, item: last })
  send('response.completed', { response: completed(asked, last) })
  response.end()
}

type Send = (type: string, more: Fields) => void

function streamCall(reply: Extract<Reply, { kind: 'call' }>, send: Send): Fields {
  const whole = item(reply)
  const place = { item_id: 'fc_1', output_index: 0 }
  send('response.output_item.added', {
    output_index: 0,
    item: { ...whole, arguments: '', status: 'in_progress' },
  })
  send('response.function_call_arguments.delta', { ...place, delta: reply.input })
  send('response.function_call_arguments.done', { ...place, arguments: reply.input })
  return whole
}

async function streamText(
  asked: Asked,
  reply: Exclude<Reply, { kind: 'call' }>,
  send: Send,
): Promise<Fields> {
  const whole = item(reply)
  const place = { item_id: 'msg_1', output_index: 0, content_index: 0 }
  const part = { type: 'output_text', text: '', annotations: [] }
  send('response.output_item.added', {
    output_index: 0,
    item: { ...whole, content: [], status: 'in_progress' },
  })
  send('response.content_part.added', { ...place, part })
  const write = (delta: string): void => send('response.output_text.delta', { ...place, delta })
  if (reply.kind === 'endless') await writeEndless(asked, write)
  else for (const word of wordsOf(reply.text)) write(word)
  const text = reply.kind === 'text' ? reply.text : ''
  send('response.output_text.done', { ...place, text })
  send('response.content_part.done', { ...place, part: { ...part, text } })
  return whole
}
