/** The Messages API of the simulated upstream. */
import { replyTo, wordsOf, type Reply } from './script.ts'
import { fields, list, sendJson, writeEndless, type Asked, type Fields } from './wire.ts'

export async function answerMessages(asked: Asked): Promise<void> {
  const { body } = asked
  const choice = fields(body['tool_choice'])
  const reply = replyTo(JSON.stringify(list(body['messages'])), {
    hasToolResult: list(body['messages']).some((message) =>
      list(fields(message)['content']).some((part) => fields(part)['type'] === 'tool_result'),
    ),
    forced: choice['type'] === 'tool' ? String(choice['name']) : null,
  })
  if (reply.kind === 'text') asked.bill.completionTokens = wordsOf(reply.text).length
  if (reply.kind === 'call') asked.bill.completionTokens = 7
  if (body['stream'] === true) await stream(asked, reply)
  else
    sendJson(asked.response, 200, { ...message(asked), ...ending(reply), content: [block(reply)] })
}

function block(reply: Reply): Fields {
  if (reply.kind === 'call')
    return {
      type: 'tool_use',
      id: 'toolu_1',
      name: reply.name,
      input: JSON.parse(reply.input) as unknown,
    }
  return { type: 'text', text: reply.kind === 'text' ? reply.text : '' }
}

const ending = (reply: Reply): Fields => ({
  stop_reason: reply.kind === 'call' ? 'tool_use' : 'end_turn',
  stop_sequence: null,
})

const message = ({ body, bill }: Asked): Fields => ({
  id: bill.id,
  type: 'message',
  role: 'assistant',
  model: body['model'],
  content: [],
  stop_reason: null,
  stop_sequence: null,
  usage: {
    input_tokens: bill.promptTokens,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: bill.completionTokens,
  },
})

async function stream(asked: Asked, reply: Reply): Promise<void> {
  const { response, bill } = asked
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const send = (type: string, more: Fields): void => {
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`)
  }
  const text = (word: string): void =>
    send('content_block_delta', { index: 0, delta: { type: 'text_delta', text: word } })
  send('message_start', { message: message(asked) })
  const first = block(reply)
  const start = reply.kind === 'call' ? { ...first, input: {} } : { ...first, text: '' }
  send('content_block_start', { index: 0, content_block: start })
  if (reply.kind === 'endless') await writeEndless(asked, text)
  if (reply.kind === 'text') for (const word of wordsOf(reply.text)) text(word)
  if (reply.kind === 'call')
    send('content_block_delta', {
      index: 0,
      delta: { type: 'input_json_delta', partial_json: reply.input },
    })
  send('content_block_stop', { index: 0 })
  send('message_delta', { delta: ending(reply), usage: { output_tokens: bill.completionTokens } })
  send('message_stop', {})
  response.end()
}
